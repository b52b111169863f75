#include "cudaprophet/basis.hpp"

#include "atoms/basis/library.hpp"
#include "frontends/api/convert.hpp"
#include "operations/jobs/basis_source.hpp"

namespace cudaprophet {
namespace {

BasisSet basisOf(const prophet::BasisSet& core) {
  BasisSet basis;
  for (const prophet::SymmetryBasis& s : core.symmetries) basis.exponents.push_back(s.exponents);
  basis.description = core.description;
  return basis;
}

BasisSet setOf(int charge, const prophet::BasisSet& core, prophet::NuclearModel model) {
  BasisSet basis = basisOf(core);
  basis.charge = charge;
  basis.nucleus = static_cast<NuclearModel>(model);
  return basis;
}

}  // namespace

BasisSet basisFromLibrary(int charge, const std::string& collection, const std::filesystem::path& folder) {
  return translated([&] {
    const auto entry = prophet::readLibraryEntry(charge, collection, folder);
    if (!entry)
      throw prophet::Error("the library has no basis set for Z = " + std::to_string(charge) +
                           " in this collection; name another one or give exponents");
    return setOf(charge, prophet::makeBasis(*entry), entry->nuclearModel);
  });
}

BasisSet basisFromLadder(const Ladder& ladder) {
  return translated([&] { return basisOf(prophet::makeWellTempered(specOf(ladder))); });
}

BasisSet basisFromFile(const std::filesystem::path& file, int charge) {
  return translated([&] {
    const prophet::BasisFileSets read = prophet::readBasisSets(file, charge);
    return setOf(charge, read.sets.at(charge), read.modelOf(charge));
  });
}

BasisSet basisFromExponents(std::vector<std::vector<double>> exponents) {
  return {std::move(exponents), "given by exponents", 0, std::nullopt};
}

}  // namespace cudaprophet
