#pragma once
#include "atoms/properties/properties.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet::hdf5 {

/// Writes a result into an empty group (docs/reference/hdf5.md).
void writeRecord(Group group, const ResultRecord& record);

/// Reads it back. Throws Error where something is missing or does not fit together.
ResultRecord readRecord(const Group& group);

// Parts of the layout, each a group or some attributes.
void writeProblem(Group& group, const AtomProblem& problem);
AtomProblem readProblem(const Group& group);
void writeMethod(Group& group, const Calculation& calculation);
void readMethod(const Group& group, Calculation& calculation);
/// What follows from the spinors, for other programs: this one derives it anew from what it reads.
void writeProperties(Group& group, const Properties& properties);
void writeWavefunction(Group& group, const AtomProblem& problem, const Result& result);
/// Fills in coefficients and wavefunction; `basis`: of the calculation, nullptr for a limit.
void readWavefunction(const Group& group, const BasisSet* basis, Result& result);

/// The value of an enumeration with a table of names. Throws Error where there is none.
template <class Enumeration>
Enumeration named(const std::string& name) {
  if (const auto value = valueNamed<Enumeration>(name)) return *value;
  throw Error("the result file has an unknown value '" + name + "'");
}

/// Throws Error where two lists that belong together differ in length.
inline void requireSize(std::size_t found, std::size_t expected, const char* what) {
  if (found != expected)
    throw Error(std::string("the result file is damaged: ") + what + " has " + std::to_string(found) +
                " entries instead of " + std::to_string(expected));
}

}  // namespace prophet::hdf5
