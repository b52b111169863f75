#include "matter/powder/amplitudes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>

#include "atoms/atom/elements.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "matter/powder/waasmaier_kirfel.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {

// Real parts, natural mixture of isotopes: V. F. Sears, Neutron News 3 (3), 29-37 (1992).
std::optional<double> neutronLength(int z) {
  // clang-format off
  static const std::map<std::string, double> lengths = {
      {"H", -3.739}, {"He", 3.26}, {"Li", -1.9}, {"Be", 7.79}, {"B", 5.3}, {"C", 6.646}, {"N", 9.36},
      {"O", 5.803}, {"F", 5.654}, {"Ne", 4.566}, {"Na", 3.63}, {"Mg", 5.375}, {"Al", 3.449}, {"Si", 4.1491},
      {"P", 5.13}, {"S", 2.847}, {"Cl", 9.577}, {"Ar", 1.909}, {"K", 3.67}, {"Ca", 4.7}, {"Sc", 12.29},
      {"Ti", -3.438}, {"V", -0.3824}, {"Cr", 3.635}, {"Mn", -3.73}, {"Fe", 9.45}, {"Co", 2.49},
      {"Ni", 10.3}, {"Cu", 7.718}, {"Zn", 5.68}, {"Ga", 7.288}, {"Ge", 8.185}, {"As", 6.58}, {"Se", 7.97},
      {"Br", 6.795}, {"Kr", 7.81}, {"Rb", 7.09}, {"Sr", 7.02}, {"Y", 7.75}, {"Zr", 7.16}, {"Nb", 7.054},
      {"Mo", 6.715}, {"Tc", 6.8}, {"Ru", 7.03}, {"Rh", 5.88}, {"Pd", 5.91}, {"Ag", 5.922}, {"Cd", 4.87},
      {"In", 4.065}, {"Sn", 6.225}, {"Sb", 5.57}, {"Te", 5.8}, {"I", 5.28}, {"Xe", 4.92}, {"Cs", 5.42},
      {"Ba", 5.07}, {"La", 8.24}, {"Ce", 4.84}, {"Pr", 4.58}, {"Nd", 7.69}, {"Pm", 12.6}, {"Sm", 0.8},
      {"Eu", 7.22}, {"Gd", 6.5}, {"Tb", 7.38}, {"Dy", 16.9}, {"Ho", 8.01}, {"Er", 7.79}, {"Tm", 7.07},
      {"Yb", 12.43}, {"Lu", 7.21}, {"Hf", 7.7}, {"Ta", 6.91}, {"W", 4.86}, {"Re", 9.2}, {"Os", 10.7},
      {"Ir", 10.6}, {"Pt", 9.6}, {"Au", 7.63}, {"Hg", 12.692}, {"Tl", 8.776}, {"Pb", 9.405}, {"Bi", 8.532},
      {"Ra", 10.0}, {"Th", 10.31}, {"Pa", 9.1}, {"U", 8.417}, {"Np", 10.55}, {"Am", 8.3}, {"Cm", 9.5},
  };
  // clang-format on
  const auto found = lengths.find(symbolOf(z));
  return found == lengths.end() ? std::nullopt : std::optional<double>(found->second);
}

namespace {

double lengthOf(const Species& species) {
  if (const auto length = neutronLength(species.z)) return *length;
  throw Error(
      fmt::format("no neutron scattering length of {} is known; use form factors constant", species.name));
}

AtomAmplitude amplitudeOf(const Species& species, const Eigen::VectorXd& q, const AmplitudeOptions& options) {
  switch (options.source) {
    case AmplitudeSource::Computed:
      if (!options.computed) throw Error("nothing computes form factors here");
      return options.computed(species, q);
    case AmplitudeSource::WaasmaierKirfel:
      return {waasmaierKirfel(species.z, species.charge, q),
              "D. Waasmaier and A. Kirfel, Acta Cryst. A51, 416 (1995)"};
    case AmplitudeSource::Neutron: {
      const double b = lengthOf(species);
      return {Eigen::VectorXd::Constant(q.size(), b),
              fmt::format("b = {:g} fm, V. F. Sears, Neutron News 3 (3), 29 (1992)", b)};
    }
    case AmplitudeSource::Constant:
      break;
  }
  return {Eigen::VectorXd::Ones(q.size()), "1"};
}

}  // namespace

const std::vector<std::pair<std::string, AmplitudeSource>>& amplitudeSources() {
  static const std::vector<std::pair<std::string, AmplitudeSource>> all = {
      {"computed", AmplitudeSource::Computed},
      {"waasmaier-kirfel", AmplitudeSource::WaasmaierKirfel},
      {"neutron", AmplitudeSource::Neutron},
      {"constant", AmplitudeSource::Constant}};
  return all;
}

std::string nameOf(AmplitudeSource source) {
  for (const auto& [name, value] : amplitudeSources())
    if (value == source) return name;
  return "";
}

namespace {

bool isKind(const std::string& name) {
  try {
    return !kindName(name).empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::map<std::string, Dispersion> readDispersion(const std::string& path) {
  const auto rows = readCsv(path);
  std::map<std::string, Dispersion> table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& fields = rows[i].fields;
    const auto fail = [&](const std::string& what) {
      throw Error(
          fmt::format("{}:{}: error: {}; expected lines atom,f',f'' in electrons, such as Co,-2.5,3.6", path,
                      rows[i].line, what));
    };
    if (fields.size() != 3) fail(fmt::format("{} fields, not 3", fields.size()));
    const auto real = parseDouble(trimmed(fields[1])), imaginary = parseDouble(trimmed(fields[2]));
    if (i == 0 && !real && !imaginary && !isKind(fields[0])) continue;  // names of the columns
    if (!real || !imaginary || !std::isfinite(*real) || !std::isfinite(*imaginary))
      fail("'" + fields[1] + "," + fields[2] + "' are not two numbers");
    try {
      const std::string kind = kindName(fields[0]);
      if (!table.emplace(kind, Dispersion{*real, *imaginary}).second) throw Error(kind + " is there twice");
    } catch (const Error& e) {
      fail(e.what());
    }
  }
  return table;
}

Amplitudes amplitudesOf(const std::vector<std::string>& kinds, const Eigen::VectorXd& q,
                        const AmplitudeOptions& options) {
  Amplitudes out;
  out.values.setZero(q.size(), static_cast<Eigen::Index>(kinds.size()));
  out.provenance.resize(kinds.size());
  std::vector<std::string> warnings(kinds.size());
  ThreadPool(options.threads).forEach(static_cast<int>(kinds.size()), [&](int number, int) {
    const std::size_t k = static_cast<std::size_t>(number);
    const AtomAmplitude amplitude = amplitudeOf(parseSpecies(kinds[k]), q, options);
    out.provenance[k] = amplitude.provenance;
    warnings[k] = amplitude.warning;
    out.values.col(number) = amplitude.values.cast<std::complex<double>>();
    const auto found = options.dispersion.find(kinds[k]);
    if (found == options.dispersion.end()) return;
    out.values.col(number).array() += std::complex<double>(found->second.real, found->second.imaginary);
    out.provenance[k] += fmt::format("; f' = {:g}, f'' = {:g}", found->second.real, found->second.imaginary);
  });
  for (const auto& w : warnings) {
    if (!w.empty()) out.warnings.push_back(w);
  }
  return out;
}

}  // namespace prophet
