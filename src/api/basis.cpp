#include "cudaprophet/basis.hpp"

#include <fstream>
#include <iterator>
#include <map>

#include "api/convert.hpp"
#include "atom/elements.hpp"
#include "basis/basis_file.hpp"
#include "basis/library.hpp"
#include "formats/exchange_formats.hpp"

namespace cudaprophet {
namespace {

BasisSet basisOf(const prophet::BasisSet& core) {
  BasisSet basis;
  for (const prophet::SymmetryBasis& s : core.symmetries) basis.exponents.push_back(s.exponents);
  basis.description = core.description;
  return basis;
}

prophet::BasisFormat formatOf(const std::filesystem::path& file) {
  static const std::map<std::string, prophet::BasisFormat> kFormats = {
      {".json", prophet::BasisFormat::Json},     {".nw", prophet::BasisFormat::Nwchem},
      {".dirac", prophet::BasisFormat::Dirac},   {".gbs", prophet::BasisFormat::Gaussian},
      {".basis", prophet::BasisFormat::Prophet},
  };
  const auto format = kFormats.find(file.extension().string());
  if (format == kFormats.end())
    throw prophet::Error(file.string() +
                         ": the name of a basis-set file ends in .basis, .json, .nw, .dirac or .gbs");
  return format->second;
}

std::string textOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) throw prophet::Error(file.string() + ": cannot read the file");
  return text;
}

prophet::BasisSet readFile(const std::filesystem::path& file, int charge) {
  const prophet::BasisFormat format = formatOf(file);
  if (format == prophet::BasisFormat::Prophet) {
    std::ifstream in(file);
    if (!in) throw prophet::Error(file.string() + ": cannot read the file");
    const prophet::LibraryEntry entry = prophet::readBasisFile(in, file.string());
    if (entry.z == charge) return prophet::makeBasis(entry);
  } else {
    for (const prophet::ElementBasis& set : prophet::readBasis(textOf(file), format, file.string())) {
      if (set.z == charge) return prophet::basisSetOf(set);
    }
  }
  throw prophet::Error(file.string() + ": the file has no set for " + symbol(charge));
}

}  // namespace

BasisSet basisFromLibrary(int charge, const std::string& collection, const std::filesystem::path& folder) {
  return translated([&] {
    const auto entry = prophet::readLibraryEntry(charge, collection, folder);
    if (!entry)
      throw prophet::Error("the library has no basis set for Z = " + std::to_string(charge) +
                           " in this collection; name another one or give exponents");
    return basisOf(prophet::makeBasis(*entry));
  });
}

BasisSet basisFromLadder(const Ladder& ladder) {
  return translated([&] { return basisOf(prophet::makeWellTempered(specOf(ladder))); });
}

BasisSet basisFromFile(const std::filesystem::path& file, int charge) {
  return translated([&] { return basisOf(readFile(file, charge)); });
}

BasisSet basisFromExponents(std::vector<std::vector<double>> exponents) {
  return {std::move(exponents), "given by exponents"};
}

}  // namespace cudaprophet
