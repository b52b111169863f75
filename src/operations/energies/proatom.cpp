#include "operations/energies/proatom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "atoms/atom/elements.hpp"
#include "atoms/properties/radial_fields.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kMultiwfnRadii = 200;
constexpr double kLeastDensity = 1e-15;  // electrons/bohr^3, of the last radius of a .rad file

/// MessagePack (github.com/msgpack, specification version 5) as far as a species needs it.
class MessagePack {
 public:
  void map(std::uint16_t entries) { head(0xde, entries); }
  void text(const std::string& value) {
    head(0xda, static_cast<std::uint16_t>(value.size()));
    bytes_ += value;
  }
  void whole(std::int32_t value) { head(0xd2, static_cast<std::uint32_t>(value)); }
  void real(double value) { head(0xcb, std::bit_cast<std::uint64_t>(value)); }
  void truth(bool value) { bytes_ += static_cast<char>(value ? 0xc3 : 0xc2); }
  /// A vector as msgpack-numpy writes it: a map with keys that are bytes, numbers with the low byte first.
  void numbers(const Eigen::VectorXd& values) {
    map(5);
    binary("nd"), truth(true);
    binary("type"), text("<f8");
    binary("kind"), binary("");
    binary("shape"), bytes_ += static_cast<char>(0x91), whole(static_cast<std::int32_t>(values.size()));
    binary("data");
    std::string data;
    for (const double value : values) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (int byte = 0; byte < 8; ++byte) data += static_cast<char>(bits >> (8 * byte) & 0xff);
    }
    binary(data);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  /// A type and a number with the high byte first.
  template <class Number>
  void head(int type, Number value) {
    bytes_ += static_cast<char>(type);
    for (int byte = sizeof(Number) - 1; byte >= 0; --byte)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xff);
  }
  void binary(const std::string& value) {
    head(0xc6, static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }

  std::string bytes_;
};

int wholeOf(double value, const char* what) {
  if (std::abs(value - std::round(value)) > 1e-9)
    throw Error(
        fmt::format("AtomDB's species have whole numbers of electrons and charges, but {} is {:g}; "
                    "write a .rad file instead",
                    what, value));
  return static_cast<int>(std::lround(value));
}

std::string multiwfnFile(const Eigen::VectorXd& radii, const Eigen::VectorXd& density) {
  std::string text = fmt::format("{:12d}\n", radii.size());
  for (Eigen::Index i = 0; i < radii.size(); ++i)
    text += fmt::format("{:20.12f}{:22.12E}\n", radii[i], density[i]);
  return text;
}

std::string atomDbFile(const AtomProblem& problem, const Result& result, const Eigen::VectorXd& radii,
                       const RadialFields::DensityAndSlopes& density) {
  const int z = wholeOf(problem.nucleus.charge, "the nuclear charge");
  MessagePack pack;
  pack.map(10);
  pack.text("elem"), pack.text(symbolOf(z));
  pack.text("atnum"), pack.whole(z);
  pack.text("nelec"), pack.whole(wholeOf(problem.configuration.electrons(), "the number of electrons"));
  pack.text("nspin"), pack.whole(parallelSpins(problem.configuration));
  pack.text("nexc"), pack.whole(0);
  pack.text("energy"), pack.real(result.energy.total);
  pack.text("rs"), pack.numbers(radii);
  pack.text("dens_tot"), pack.numbers(density.value);
  pack.text("d_dens_tot"), pack.numbers(density.slope);
  pack.text("dd_dens_tot"), pack.numbers(density.curvature);
  return pack.bytes();
}

}  // namespace

ProatomFormat proatomFormatOf(const std::string& file) {
  if (file.ends_with(".rad")) return ProatomFormat::Multiwfn;
  if (file.ends_with(".msg")) return ProatomFormat::AtomDb;
  throw Error("'" + file + "' has no ending that says a format; expected .rad (Multiwfn) or .msg (AtomDB)");
}

Eigen::VectorXd proatomRadii(ProatomFormat format, const Wavefunction& wavefunction) {
  if (format == ProatomFormat::AtomDb) return defaultRadii(wavefunction);
  Eigen::VectorXd radii(kMultiwfnRadii);
  for (int i = 0; i < kMultiwfnRadii; ++i) {
    const double x = std::cos((kMultiwfnRadii - i) * constants::kPi / (kMultiwfnRadii + 1));
    radii[i] = (1 + x) / (1 - x);
  }
  return radii;
}

int parallelSpins(const Configuration& configuration) {
  std::map<std::pair<int, int>, double> shells;  // electrons of n, l
  for (int a = 0; a < static_cast<int>(configuration.symmetries.size()); ++a)
    for (const SpinorOccupation& s : configuration.symmetries[static_cast<std::size_t>(a)].spinors)
      shells[{s.number, Symmetry::fromIndex(a).l()}] += s.electrons;
  double spins = 0;
  for (const auto& [shell, electrons] : shells)
    spins += std::min(electrons, 2 * (2 * shell.second + 1) - electrons);
  return static_cast<int>(std::lround(spins));
}

std::string proatomFile(ProatomFormat format, const AtomProblem& problem, const Result& result,
                        const Eigen::VectorXd& radii) {
  const RadialFields::DensityAndSlopes density = RadialFields(problem, result).density(radii);
  if (format == ProatomFormat::AtomDb) return atomDbFile(problem, result, radii, density);
  Eigen::Index count = radii.size();
  while (count > 1 && density.value[count - 1] < kLeastDensity) --count;
  return multiwfnFile(radii.head(count), density.value.head(count));
}

}  // namespace prophet
