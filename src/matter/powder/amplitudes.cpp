#include "matter/powder/amplitudes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "core/common/thread_pool.hpp"
#include "matter/powder/neutron_lengths.hpp"
#include "matter/powder/waasmaier_kirfel.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {
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
    if (i == 0 && !real && !imaginary) continue;  // names of the columns
    if (!real || !imaginary || !std::isfinite(*real) || !std::isfinite(*imaginary))
      fail("'" + fields[1] + "," + fields[2] + "' are no two numbers");
    try {
      table[kindName(fields[0])] = {*real, *imaginary};
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
