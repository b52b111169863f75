#include "frontends/app/shape_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/number.hpp"
#include "core/common/text.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

/// Runs `read` and names the option in what is wrong.
template <class Read>
auto ofOption(const std::string& option, Read read) {
  try {
    return read();
  } catch (const UsageError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError("--" + option + ": " + e.what());
  }
}

double numberOf(const std::string& word) {
  const auto value = parseDouble(trimmed(word));
  if (!value || !std::isfinite(*value)) throw Error("'" + word + "' is no number");
  return *value;
}

Substrate parseSubstrate(const std::string& text, double wavelength) {
  std::map<std::string, double> numbers;
  for (const std::string& part : split(text, ',')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) throw Error("found '" + part + "'; expected NAME=NUMBER,...");
    numbers[trimmed(sides[0])] = numberOf(sides[1]);
  }
  const auto has = [&](std::initializer_list<const char*> names) {
    return numbers.size() == names.size() &&
           std::all_of(names.begin(), names.end(), [&](const char* name) { return numbers.count(name) > 0; });
  };
  if (has({"f1", "f2", "density", "mass"}))
    return substrateOf(numbers["f1"], numbers["f2"], numbers["density"], numbers["mass"], wavelength);
  if (!has({"delta", "beta"}))
    throw Error("give delta and beta, or f1, f2, density and mass, not '" + text + "'");
  const Substrate s{numbers["delta"], numbers["beta"]};
  if (!(std::abs(s.delta) < 0.5 && s.beta >= 0 && s.beta < 0.5))
    throw Error("delta lies between -0.5 and 0.5, beta from 0 to 0.5");
  return s;
}

Detector readDetector(const po::variables_map& values) {
  for (const char* option : {"alpha-f", "two-theta-f", "alpha-i", "wavelength"}) {
    if (!values.count(option))
      throw UsageError(fmt::format(
          "a detector needs --alpha-f, --two-theta-f, --alpha-i and --wavelength; --{} is missing", option));
  }
  Detector d;
  d.wavelength = values["wavelength"].as<double>();
  d.alphaI = values["alpha-i"].as<double>();
  const auto axis = [&](const std::string& option) {
    return ofOption(option, [&] { return parseAxis(values[option].as<std::string>(), "angle (degrees)"); });
  };
  d.alphaF = axis("alpha-f");
  d.twoThetaF = axis("two-theta-f");
  try {
    check(d);
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  return d;
}

/// "200:10" or, with sigmas, "200:20" and "200:20:50".
Spacing parseSpacing(const std::string& text, bool sigmas) {
  const auto words = split(text, ':');
  const std::size_t most = sigmas ? 3 : 2;
  if (words.size() < 2 || words.size() > most)
    throw Error(std::string("found '") + text + "'; expected " +
                (sigmas ? "DISTANCE:SIGMA or DISTANCE:SIGMA:COUNT" : "DISTANCE:COUNT"));
  Spacing s{numberOf(words[0]), sigmas ? numberOf(words[1]) : 0, 1000};
  if (words.size() == most) {
    const double count = numberOf(words.back());
    if (!(count >= 1 && count <= 1e6) || count != std::floor(count))
      throw Error("the particles along a direction are a whole number from 1 to 1000000");
    s.count = static_cast<int>(count);
  }
  return s;
}

}  // namespace

void readMomenta(const po::variables_map& values, ShapeLine& line) {
  const bool detector = values.count("alpha-f") + values.count("two-theta-f") + values.count("alpha-i") +
                            values.count("wavelength") + values.count("substrate") >
                        0;
  if (detector == (values.count("q-grid") > 0))
    throw UsageError(
        "shape needs --q-grid, such as -1:1:64,-1:1:64,0.1:1:32, or a detector (--alpha-i, --alpha-f, "
        "--two-theta-f, --wavelength)");
  if (!detector) {
    line.grid = ofOption("q-grid", [&] { return parseQGrid(values["q-grid"].as<std::string>()); });
    return;
  }
  line.detector = readDetector(values);
  if (line.method == ShapeMethod::Transform)
    throw UsageError("--method fft needs a regular grid of momenta; a detector takes exact and sum");
  if (!values.count("substrate")) return;
  line.substrate = ofOption("substrate", [&] {
    return parseSubstrate(values["substrate"].as<std::string>(), line.detector->wavelength);
  });
  if (line.detector->alphaF.start < 0)
    throw UsageError("--substrate: --alpha-f starts at 0 degrees or above, the horizon of the surface");
}

void readArrangement(const po::variables_map& values, ShapeLine& line) {
  const bool lattice = values.count("lattice") > 0, paracrystal = values.count("paracrystal") > 0;
  if (lattice && paracrystal) throw UsageError("give either --lattice or --paracrystal");
  if (!lattice && !paracrystal) {
    if (values.count("lattice-angle") || values.count("lattice-rotation"))
      throw UsageError("--lattice-angle and --lattice-rotation belong to --lattice and --paracrystal");
    return;
  }
  const std::string option = lattice ? "lattice" : "paracrystal";
  ofOption(option, [&] {
    Arrangement& a = line.arrangement;
    for (const std::string& part : split(values[option].as<std::string>(), ','))
      a.spacings.push_back(parseSpacing(part, paracrystal));
    if (values.count("lattice-angle")) a.angle = values["lattice-angle"].as<double>();
    if (values.count("lattice-rotation")) a.rotation = values["lattice-rotation"].as<double>();
    a.radial = paracrystal && a.spacings.size() == 1;
    check(a);
    return 0;
  });
}

}  // namespace prophet
