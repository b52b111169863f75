#pragma once
#include <string>
#include <vector>

#include "operations/input/diagnostics.hpp"
#include "operations/input/job.hpp"
#include "operations/input/namelist.hpp"

namespace prophet {

/// Reads the text of an input file. `fileName` is only for messages and Job::file. Throws InputErrors with
/// all errors of the file at once. What needs data of other modules is left to the caller: whether the
/// library has the element (basisType Library), its nuclear model where nuclearModelGiven is false, default
/// nuclear parameters (makeNucleus) and the default configuration (configuration.groundState).
Job parseJob(const std::string& text, const std::string& fileName);

/// The same of its groups, which are read already; `diagnostics` has what was wrong with them. The job's text
/// stays empty.
Job jobOf(const NamelistFile& file, Diagnostics diagnostics, const std::string& fileName);

/// The text of an input file; the name must end in ".inp". Throws Error if it cannot be read or is none.
std::string readInputText(const std::string& path);

/// The job of such a file. Throws Error as readInputText, InputErrors for what is wrong in it.
Job readJobFile(const std::string& path);

/// The keywords that the job uses. One whose name another group has before it is called GROUP_KEYWORD.
std::vector<Setting> keywordSettings(JobType type);

/// The job that an input file with these keywords describes: same table, meanings, defaults and errors.
/// Beside texts and numbers it takes an object for the keywords of a group, {"scf": {"maxitr": 100}}, rows of
/// `configurations`, and in the object of $bas lists of exponents, the name of a set, and keywords of $nuc as
/// "nucleus" that the set was made for, which are taken where no model is named. `label` stands for the
/// file's name; empty: the atom. Throws RequestErrors with everything that is wrong. The job's text is that
/// of such a file.
Job jobOfValues(JobType type, const Json& values, const std::string& label = "");
/// Whether a value of `basis` is a file, or a folder of sets, rather than a collection of the library.
bool namesBasisFile(const std::string& basis);

}  // namespace prophet
