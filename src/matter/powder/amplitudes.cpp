#include "matter/powder/amplitudes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {
namespace {

/// "6.5-13.82i".
std::string text(std::complex<double> b) {
  return b.imag() == 0 ? fmt::format("{:g}", b.real()) : fmt::format("{:g}{:+g}i", b.real(), b.imag());
}

AtomAmplitude neutronAmplitude(const AtomKind& kind, Eigen::Index size) {
  const NeutronLength* found = neutronLength(kind.z, kind.massNumber);
  const std::string name = nameOf(AtomKind{kind.z, kind.massNumber});
  if (!found) {
    std::string others;
    for (const NeutronLength& row : neutronLengths())
      if (row.z == kind.z) others += " " + nameOf(AtomKind{row.z, row.massNumber});
    throw Error(fmt::format("no neutron scattering length of {} is known{}; use form factors constant", name,
                            others.empty() ? "" : " (but of" + others + ")"));
  }
  AtomAmplitude amplitude{
      Eigen::VectorXcd::Constant(size, found->length),
      fmt::format("b = {} fm, V. F. Sears, Neutron News 3 (3), 29 (1992)", text(found->length))};
  if (found->resonant)
    amplitude.warning = fmt::format(
        "the scattering length of {} for neutrons depends on their energy: {} fm is that at 1.798 angstrom",
        name, text(found->length));
  return amplitude;
}

/// The amplitude of an ion with a whole charge.
AtomAmplitude ionAmplitude(int z, int charge, const Eigen::VectorXd& q, const AmplitudeOptions& options) {
  if (z == charge) return {Eigen::VectorXcd::Zero(q.size()), "0, without electrons"};
  if (options.source == AmplitudeSource::WaasmaierKirfel)
    return {waasmaierKirfel(z, charge, q).cast<std::complex<double>>(),
            "D. Waasmaier and A. Kirfel, Acta Cryst. A51, 416 (1995)"};
  if (!options.computed) throw Error("nothing computes form factors here");
  return options.computed({ionName(z, charge), z, charge, ""}, q);
}

/// An ion whose charge is a mean over the crystal, such as Fe2.5+, has the mean of its two neighbours'
/// factors: what the sites scatter where neighbours of both charges are spread over them at random.
AtomAmplitude xrayAmplitude(const AtomKind& kind, const Eigen::VectorXd& q, const AmplitudeOptions& options) {
  const int low = static_cast<int>(std::floor(kind.charge));
  const double part = kind.charge - low;
  AtomAmplitude first = ionAmplitude(kind.z, low, q, options);
  if (part == 0) return first;
  const AtomAmplitude second = ionAmplitude(kind.z, low + 1, q, options);
  first.values = (1 - part) * first.values + part * second.values;
  first.provenance = fmt::format("{:.4g} of {} ({}) and {:.4g} of {} ({})", 1 - part, ionName(kind.z, low),
                                 first.provenance, part, ionName(kind.z, low + 1), second.provenance);
  if (first.warning.empty()) first.warning = second.warning;
  return first;
}

AtomAmplitude amplitudeOf(const AtomKind& kind, const Eigen::VectorXd& q, const AmplitudeOptions& options) {
  switch (options.source) {
    case AmplitudeSource::Computed:
    case AmplitudeSource::WaasmaierKirfel:
      return xrayAmplitude(kind, q, options);
    case AmplitudeSource::Neutron:
      return neutronAmplitude(kind, q.size());
    case AmplitudeSource::Constant:
      break;
  }
  return {Eigen::VectorXcd::Ones(q.size()), "1"};
}

/// The row of a kind, else of its ion, else of its element: f' and f'' are those of inner electrons, which
/// neither isotopes nor charges change much.
std::map<std::string, Dispersion>::const_iterator dispersionOf(
    const AtomKind& kind, const std::map<std::string, Dispersion>& table) {
  for (const AtomKind& name : {kind, AtomKind{kind.z, 0, kind.charge}, AtomKind{kind.z}})
    if (const auto found = table.find(nameOf(name)); found != table.end()) return found;
  return table.end();
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

/// The first of a line's words that does not name its column of f' and f''; empty where all do.
std::string unknownDispersionName(const std::vector<std::string>& names) {
  static const std::array<std::vector<std::string>, 3> kNames = {
      {{"atom", "element", "ion", "kind", "symbol", "species", "name"},
       {"f'", "f1", "fp", "f_prime", "fprime", "f_1", "real"},
       {"f''", "f\"", "f2", "fpp", "f_double_prime", "fdoubleprime", "f_2", "imaginary"}}};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (std::ranges::find(kNames[i], lowerCase(trimmed(names[i]))) == kNames[i].end())
      return trimmed(names[i]);
  return {};
}

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
    if (i == 0 && !real && !imaginary && !isKind(fields[0])) {
      const std::string unknown = unknownDispersionName(fields);
      if (!unknown.empty()) fail("the column '" + unknown + "'");
      continue;
    }
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
  std::vector<std::string> warnings(kinds.size()), unused(kinds.size());
  ThreadPool(options.threads).forEach(static_cast<int>(kinds.size()), [&](int number, int) {
    const std::size_t k = static_cast<std::size_t>(number);
    const AtomKind kind = atomKind(kinds[k]);
    const AtomAmplitude amplitude = amplitudeOf(kind, q, options);
    out.provenance[k] = amplitude.provenance;
    warnings[k] = amplitude.warning;
    out.values.col(number) = amplitude.values;
    const auto found = dispersionOf(kind, options.dispersion);
    if (found == options.dispersion.end()) {
      const auto other = std::find_if(options.dispersion.begin(), options.dispersion.end(),
                                      [&](const auto& row) { return atomKind(row.first).z == kind.z; });
      if (other != options.dispersion.end())
        unused[k] = fmt::format(
            "f' and f'' are given for {} and not for {}, which has none; a row of the element, {}, "
            "is for all its ions",
            other->first, kinds[k], symbolOf(kind.z));
      return;
    }
    out.values.col(number).array() += std::complex<double>(found->second.real, found->second.imaginary);
    out.provenance[k] += fmt::format("; f' = {:g}, f'' = {:g}", found->second.real, found->second.imaginary);
  });
  for (const auto* list : {&warnings, &unused})
    for (const auto& w : *list)
      if (!w.empty()) out.warnings.push_back(w);
  return out;
}

const std::vector<NeutronLength>& neutronLengths() {
  static const std::vector<NeutronLength> table = {
#include "matter/powder/neutron_lengths.inc"
  };
  return table;
}

const NeutronLength* neutronLength(int z, int massNumber) {
  const auto& table = neutronLengths();
  const auto found = std::find_if(table.begin(), table.end(), [=](const NeutronLength& row) {
    return row.z == z && row.massNumber == massNumber;
  });
  return found == table.end() ? nullptr : &*found;
}

const std::vector<WaasmaierKirfelRow>& waasmaierKirfelTable() {
  static const std::vector<WaasmaierKirfelRow> table = {
#include "matter/powder/waasmaier_kirfel.inc"
  };
  return table;
}

Eigen::VectorXd waasmaierKirfel(int z, int charge, const Eigen::VectorXd& q) {
  constexpr double kLargestPhase = 24 * constants::kPi;
  if (q.size() > 0 && q.maxCoeff() > kLargestPhase)
    throw Error(fmt::format(
        "the fits of Waasmaier and Kirfel end at q = {:.2f} per angstrom; use computed form factors",
        kLargestPhase));
  std::string others;
  for (const auto& row : waasmaierKirfelTable()) {
    if (row.z == z && row.charge != charge) others += " " + ionName(z, row.charge);
    if (row.z != z || row.charge != charge) continue;
    const Eigen::ArrayXd s2 = (q.array() / (4 * constants::kPi)).square();
    Eigen::ArrayXd f = Eigen::ArrayXd::Constant(q.size(), row.c);
    for (int i = 0; i < 5; ++i) f += row.a[i] * (-row.b[i] * s2).exp();
    return f;
  }
  throw Error(fmt::format("Waasmaier and Kirfel (1995) have no fit for {}{}; use computed form factors",
                          ionName(z, charge), others.empty() ? "" : " (but for" + others + ")"));
}

}  // namespace prophet
