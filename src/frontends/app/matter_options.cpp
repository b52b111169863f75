#include "frontends/app/matter_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "core/common/csv.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "core/common/utf8.hpp"
#include "core/ranks/agree.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/parse_options.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/usage_error.hpp"
#include "matter/pairs/ranked_engine.hpp"
#include "matter/structure/structure.hpp"
#include "operations/execution/fallback_engines.hpp"
#include "operations/execution/gpu_share.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

/// Keeps the GPU's library open until its engine, which lives in it, is gone.
struct GpuLibrary {
  std::unique_ptr<CudaBackend> backend;
};
class GpuEngine : private GpuLibrary, public FallbackPairEngine {
 public:
  /// What the GPU refuses (too many bins or kinds, a full memory) `instead` does, unless it is null.
  GpuEngine(GpuShare share, std::unique_ptr<PairEngine> instead)
      : GpuLibrary{std::move(share.cuda)},
        FallbackPairEngine(backend->makePairEngine(share.devices), std::move(instead)) {}
};

}  // namespace

void addMatterOptions(po::options_description& options, const std::string& columns,
                      const std::string& defaultAmplitudes) {
  // clang-format off
  options.add_options()
      ("csv", po::value<std::string>()->value_name("FILE"), ("write CSV to this file: columns " + columns).c_str())
      ("json", po::value<std::string>()->value_name("FILE"), "write the numbers and where they come from as JSON to this file")
      ("hdf5", po::value<std::string>()->value_name("FILE"), "write the columns as an HDF5 file")
      ("form-factors", po::value<std::string>()->value_name("NAME")->default_value(defaultAmplitudes), "amplitudes of atoms: computed (by this program, kept in the cache folder), waasmaier-kirfel (published fits), neutron (scattering lengths, fm) or constant (1)")
      ("anomalous", po::value<std::string>()->value_name("FILE"), "CSV file with lines atom,f',f'' in electrons")
      ("quiet", "no line of progress");
  // clang-format on
  addRankOption(options, "the pairs");
  addBackendOptions(options);
}

void readMatterOptions(const po::variables_map& values, const std::string& command, MatterLine& line) {
  const auto words =
      values.count("file") ? values["file"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (words.size() != 1)
    throw UsageError(fmt::format(
        "{} takes one file of atoms (.xyz, .pdb, .cif), not {}; 'cudaprophet {} --help' tells more", command,
        words.size(), command));
  line.file = words[0];
  const std::string anomalous = fileOption(values, "anomalous");
  line.files.reads(line.file);
  line.files.reads(anomalous);
  line.csvFile = line.files.output(values, "csv");
  line.jsonFile = line.files.output(values, "json");
  line.hdf5File = line.files.output(values, "hdf5", CommandFiles::Content::Binary);
  if (!line.hdf5File.empty()) requireResultFiles(line.hdf5File, "--hdf5");
  try {
    line.amplitudes.source = amplitudeSourceNamed(values["form-factors"].as<std::string>());
  } catch (const Error& e) {
    throw UsageError(std::string("--form-factors ") + e.what());
  }
  line.backend = readBackendOptions(values);
  if (values.count("threads")) line.threads = readThreads(values);
  line.mpi = readRankOption(values);
  line.quiet = values.count("quiet") > 0;
  if (!anomalous.empty()) line.amplitudes.dispersion = readDispersion(anomalous);
  line.amplitudes.threads = readThreads(values);
  line.amplitudes.basisSets = environment::basisSets();
  line.amplitudes.cache =
      environment::cacheFolder().empty() ? "" : environment::cacheFolder() / "form-factors";
}

double numberOption(const po::variables_map& values, const std::string& option, double low, bool orEqual,
                    double high) {
  const std::string text = values[option].as<std::string>();
  const auto value = parseDouble(trimmed(text));
  if (!value || !std::isfinite(*value) || *value < low || (!orEqual && *value == low) || *value > high)
    throw UsageError(fmt::format("--{} takes a number {} {:g}{}, not '{}'", option,
                                 orEqual ? "from" : "above", low,
                                 std::isfinite(high) ? fmt::format(" up to {:g}", high) : "", text));
  return *value;
}

Eigen::VectorXd parseMomenta(const std::string& text) {
  Setting momenta;
  momenta.type = ValueType::Numbers;
  momenta.range = {0, 1e4};
  try {
    const auto list = typedValue(momenta, text).get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
  } catch (const Error& e) {
    throw UsageError(std::string("--q: ") + e.what());
  }
}

void printWarnings(const std::vector<std::string>& warnings) {
  for (const auto& text : warnings)
    std::fputs(fmt::format("cudaprophet: warning: {}\n", text).c_str(), stderr);
}

std::map<std::string, double> parseKindNumbers(const std::string& text, const std::string& option) {
  std::map<std::string, double> table;
  for (const std::string& part : split(text, ',')) {
    const auto sides = split(part, '=');
    const auto value = sides.size() == 2 ? parseDouble(trimmed(sides[1])) : std::nullopt;
    if (!value || !std::isfinite(*value))
      throw UsageError(option + " takes ATOM=NUMBER,..., such as Co=0.3,O=0.5, not '" + text + "'");
    try {
      if (!table.emplace(kindName(sides[0]), *value).second)
        throw Error("two numbers are given for " + kindName(sides[0]));
    } catch (const Error& e) {
      throw UsageError(option + ": " + e.what());
    }
  }
  return table;
}

std::unique_ptr<PairEngine> pairEngineFor(const MatterLine& line, const RankPlace& place, bool worthwhile,
                                          std::string& note) {
  const BackendRequest request = line.backend.backend;
  const int threads = line.threads > 0 ? line.threads : place.threads;
  if (request == BackendRequest::Cpu || (sizeDecides(line.backend) && !worthwhile))
    return hostPairEngine(threads);
  GpuShare gpus = openGpuShare(line.backend.devices, place, environment::cudaLibrary());
  if (!gpus.cuda) {
    if (request == BackendRequest::Cuda) throw Error("--backend cuda: " + gpus.reason);
    note = "CPU, because " + gpus.reason;
    return hostPairEngine(threads);
  }
  auto instead = request == BackendRequest::Automatic ? hostPairEngine(threads) : nullptr;
  return std::make_unique<GpuEngine>(std::move(gpus), std::move(instead));
}

SharedEngine sharedEngineFor(const MatterLine& line, Ranks& ranks, const std::function<bool()>& worthwhile) {
  const RankPlace place = placeOf(ranks);
  bool worth = false;
  together(ranks, kFailure, [&] { worth = ranks.rank() == 0 && sizeDecides(line.backend) && worthwhile(); });
  worth = fromFirst(ranks, worth ? "yes" : "no") == "yes";
  SharedEngine engine;
  together(ranks, kFailure, [&] { engine.mine = pairEngineFor(line, place, worth, engine.note); });
  if (ranks.size() > 1) engine.all = std::make_unique<RankedPairEngine>(*engine.mine, ranks, kFailure);
  return engine;
}

int runMatter(const std::vector<std::string>& arguments, MatterLine& line, const std::exception_ptr& wrong,
              const std::function<void(Ranks&)>& body) {
  return runOnRanks(arguments, line.mpi, wrong, [&](Ranks& ranks) {
    together(ranks, kFailure, [&] {
      if (ranks.rank() == 0) line.files.open();
    });
    std::exception_ptr error;
    try {
      body(ranks);
    } catch (const SharedError&) {
      throw;
    } catch (...) {
      error = std::current_exception();
    }
    // Here or where they next agree on something, all ranks meet the one that failed.
    agree(ranks, error, error ? statusOf(error) : kSuccess);
    return static_cast<int>(kSuccess);
  });
}

void writeTable(const MatterLine& line, const std::vector<std::string>& comments,
                const std::vector<TableColumn>& columns, const std::string& json) {
  fmt::memory_buffer out;
  for (const auto& comment : comments) {
    std::string oneLine = utf8(comment);
    for (char& c : oneLine) c = c == '\n' || c == '\r' ? ' ' : c;
    fmt::format_to(std::back_inserter(out), "# {}\n", oneLine);
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(out), "{}{}", c == 0 ? "" : ",", csvField(columns[c].name));
  out.push_back('\n');
  for (Eigen::Index i = 0; i < columns[0].values.size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = columns[c].values(i);
      fmt::format_to(std::back_inserter(out), "{}{}", c == 0 ? "" : ",",
                     std::isnan(value) ? "" : fmt::format("{}", value));
    }
    out.push_back('\n');
  }
  if (!line.csvFile.empty()) line.files.write(line.csvFile, fmt::to_string(out));
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, json + "\n");
  if (!line.hdf5File.empty()) writeTableFile(line.hdf5File, columns, json);
  if (line.csvFile.empty() && line.jsonFile.empty() && line.hdf5File.empty()) print(fmt::to_string(out));
}

std::string rateText(double pairs, double seconds) {
  return seconds > 0 ? fmt::format("{:.2g} pairs a second", pairs / seconds) : "";
}

}  // namespace prophet
