#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/common/degree.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "matter/shape/scene.hpp"
#ifdef PROPHET_WITH_YAML
#include <yaml-cpp/yaml.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_YAML

namespace {

using Names = std::vector<std::string>;

std::string listOf(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// A refusal that already says where.
class PlacedError : public Error {
 public:
  using Error::Error;
};

/// Reads one file; every refusal names file, line and column.
class SceneReader {
 public:
  SceneReader(std::string path, double wavelength)
      : path_(std::move(path)),
        folder_(std::filesystem::path(path_).parent_path()),
        wavelength_(wavelength) {}

  Scene read() {
    const YAML::Node root = load();
    requireKeys(root, {"materials", "layers", "particles"}, "a scene");
    materials_["vacuum"] = {};
    if (const YAML::Node list = root["materials"]) readMaterials(list);
    Scene scene;
    for (const YAML::Node& layer : listIn(root, "layers")) scene.films.push_back(filmOf(layer));
    if (!root["particles"]) refuse(root, "the list of particles is missing");
    for (const YAML::Node& particle : listIn(root, "particles"))
      scene.particles.push_back(particleOf(particle));
    if (scene.particles.empty()) refuse(root["particles"], "there are no particles");
    requireLayers(root, scene);
    requireMediaOfAll(root, scene);
    scene.files = std::move(files_);
    return scene;
  }

 private:
  YAML::Node load() const {
    try {
      const std::vector<YAML::Node> documents = YAML::LoadAll(readFile(path_));
      if (documents.empty()) return {};
      if (documents.size() > 1)
        refuse(documents[1],
               "a second document begins; a scene is one, so remove the line '---' or that part");
      return documents.front();
    } catch (const YAML::ParserException& e) {
      throw Error(fmt::format("{}:{}:{}: {}", path_, e.mark.line + 1, e.mark.column + 1, e.msg));
    }
  }

  [[noreturn]] void refuse(const YAML::Node& node, const std::string& text) const {
    const YAML::Mark mark = node.Mark();
    throw PlacedError(fmt::format("{}:{}:{}: {}", path_, mark.line + 1, mark.column + 1, text));
  }

  /// What `compute` gives; an Error of it is one of this place in the file.
  template <class Compute>
  auto at(const YAML::Node& node, Compute compute) const {
    try {
      return compute();
    } catch (const PlacedError&) {
      throw;
    } catch (const Error& e) {
      refuse(node, e.what());
    }
  }

  void requireKeys(const YAML::Node& map, const Names& allowed, const char* what) const {
    if (!map.IsMap()) refuse(map, fmt::format("{} is a map with the keys {}", what, listOf(allowed)));
    Names seen;
    for (const auto& entry : map) {
      const auto key = entry.first.as<std::string>("");
      if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
        const std::string near = nearestName(key, allowed);
        refuse(entry.first, near.empty()
                                ? fmt::format("{} has no key '{}'; expected {}", what, key, listOf(allowed))
                                : fmt::format("{} has no key '{}'; did you mean '{}'?", what, key, near));
      }
      if (std::find(seen.begin(), seen.end(), key) != seen.end())
        refuse(entry.first, fmt::format("'{}' stands twice", key));
      seen.push_back(key);
    }
  }

  std::vector<YAML::Node> listIn(const YAML::Node& map, const char* key) const {
    const YAML::Node list = map[key];
    if (!list) return {};
    if (!list.IsSequence()) refuse(list, fmt::format("'{}' is a list", key));
    return {list.begin(), list.end()};
  }

  double number(const YAML::Node& node) const {
    const std::string text = node.IsScalar() ? node.Scalar() : "";
    const auto value = parseDouble(text.rfind('+', 0) == 0 ? text.substr(1) : text);
    if (!value || !std::isfinite(*value))
      refuse(node, node.IsScalar() ? fmt::format("'{}' is not a number", text) : "expected a number");
    return *value;
  }

  std::vector<double> numbers(const YAML::Node& node, std::size_t least, std::size_t most) const {
    std::vector<double> list;
    if (node.IsSequence()) {
      for (const YAML::Node& item : node) list.push_back(number(item));
    } else {
      list.push_back(number(node));
    }
    if (list.size() < least || list.size() > most)
      refuse(node,
             fmt::format("found {} numbers; expected {}", list.size(),
                         least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
    return list;
  }

  /// Coordinates in angstrom.
  std::vector<double> place(const YAML::Node& node, std::size_t least, std::size_t most) const {
    constexpr double kFarthest = 1e9;
    const std::vector<double> list = numbers(node, least, most);
    for (const double x : list)
      if (std::abs(x) > kFarthest) refuse(node, fmt::format("{:g} is beyond 1e9 angstrom", x));
    return list;
  }

  double numberOr(const YAML::Node& map, const char* key, double usual) const {
    return map[key] ? number(map[key]) : usual;
  }

  void readMaterials(const YAML::Node& list) {
    if (!list.IsMap()) refuse(list, "'materials' is a map of names");
    for (const auto& entry : list) {
      const auto name = entry.first.as<std::string>("");
      if (name.empty() || materials_.count(name) > 0)
        refuse(entry.first, fmt::format("the material '{}' is already known", name));
      materials_[name] = mediumIn(entry.second);
    }
  }

  Medium mediumIn(const YAML::Node& map) const {
    const Names factors{"f1", "f2", "density", "mass"};
    if (map.IsMap() && map["f1"]) {
      requireKeys(map, factors, "a material");
      for (const std::string& key : factors)
        if (!map[key]) refuse(map, fmt::format("'{}' is missing; expected {}", key, listOf(factors)));
      if (!(wavelength_ > 0)) refuse(map, "f1 and f2 need the wavelength of the beam");
      return at(map, [&] {
        return mediumOf(number(map["f1"]), number(map["f2"]), number(map["density"]), number(map["mass"]),
                        wavelength_);
      });
    }
    requireKeys(map, {"delta", "beta", "f1", "f2", "density", "mass"}, "a material");
    if (!map["delta"] || map.size() > (map["beta"] ? 2 : 1))
      refuse(map, "a material has delta and beta, or f1, f2, density and mass");
    const Medium m{number(map["delta"]), numberOr(map, "beta", 0)};
    if (!(std::abs(m.delta) < 0.5 && m.beta >= 0 && m.beta < 0.5))
      refuse(map, "delta lies between -0.5 and 0.5, beta from 0 to 0.5");
    return m;
  }

  Medium material(const YAML::Node& name) const {
    const auto found = materials_.find(name.as<std::string>(""));
    if (found != materials_.end()) return found->second;
    Names known;
    for (const auto& entry : materials_) known.push_back(entry.first);
    refuse(name,
           fmt::format("there is no material '{}'; expected {}", name.as<std::string>(""), listOf(known)));
  }

  Film filmOf(const YAML::Node& map) const {
    requireKeys(map, {"material", "thickness", "roughness"}, "a layer");
    if (!map["material"]) refuse(map, "a layer needs a material");
    Film film;
    film.medium = material(map["material"]);
    film.thickness = numberOr(map, "thickness", film.thickness);
    film.roughness = numberOr(map, "roughness", 0);
    return film;
  }

  Particle particleOf(const YAML::Node& map) {
    Names keys{"weight", "rotate", "position", "bottom", "size", "bodies"};
    for (const std::string& key : bodyKeys()) keys.push_back(key);
    requireKeys(map, keys, "a particle");
    Particle p;
    p.weight = numberOr(map, "weight", 1);
    if (!(p.weight > 0)) refuse(map["weight"], "the weight of a particle is above 0");
    if (map["rotate"]) p.rotation = rotationOf(map["rotate"]);
    if (map["size"]) p.size = sizeOf(map["size"]);
    placeParticle(map, p);
    if (const YAML::Node list = map["bodies"]) {
      for (const std::string& key : bodyKeys())
        if (map[key]) refuse(map[key], fmt::format("'{}' belongs to a body of the list 'bodies' here", key));
      for (const YAML::Node& body : listIn(map, "bodies")) p.bodies.push_back(bodyOf(body));
      if (p.bodies.empty()) refuse(list, "there are no bodies");
    } else {
      p.bodies.push_back(shapeOf(map));
    }
    return p;
  }

  void placeParticle(const YAML::Node& map, Particle& p) const {
    if (const YAML::Node node = map["position"]) {
      const auto xyz = place(node, 2, 3);
      p.position = {xyz[0], xyz[1]};
      if (xyz.size() == 3) p.height = xyz[2];
    }
    if (!map["bottom"]) return;
    if (p.height) refuse(map["bottom"], "give z by 'bottom' or as third number of 'position', not both");
    p.bottom = place(map["bottom"], 1, 1).front();
  }

  SceneBody bodyOf(const YAML::Node& map) {
    Names keys{"position", "rotate"};
    for (const std::string& key : bodyKeys()) keys.push_back(key);
    requireKeys(map, keys, "a body");
    SceneBody body = shapeOf(map);
    if (const YAML::Node node = map["position"]) {
      const auto xyz = place(node, 3, 3);
      body.position = {xyz[0], xyz[1], xyz[2]};
    }
    if (map["rotate"]) body.rotation = rotationOf(map["rotate"]);
    return body;
  }

  static Names bodyKeys() {
    Names keys{"file", "unit", "material"};
    for (const BodyKind& kind : bodyKinds()) keys.emplace_back(kind.name);
    return keys;
  }

  SceneBody shapeOf(const YAML::Node& map) {
    Names shapes{"file"};
    for (const BodyKind& kind : bodyKinds()) shapes.emplace_back(kind.name);
    Names given;
    for (const std::string& name : shapes)
      if (map[name]) given.push_back(name);
    if (given.size() != 1) refuse(map, fmt::format("a body is one of {}", listOf(shapes)));
    const YAML::Node node = map[given.front()];
    if (map["unit"] && given.front() != "file") refuse(map["unit"], "'unit' belongs to a file");
    SceneBody body = at(node, [&] { return shapeNamed(given.front(), node, numberOr(map, "unit", 1)); });
    if (map["material"]) body.medium = material(map["material"]);
    return body;
  }

  SceneBody shapeNamed(const std::string& name, const YAML::Node& node, double unit) {
    if (name == "file") {
      if (!(unit > 0 && unit <= 1e12)) throw Error("the unit of a file is above 0");
      files_.push_back((folder_ / node.as<std::string>("")).string());
      return bodyOfFile(files_.back(), unit);
    }
    SceneBody body;
    for (const BodyKind& kind : bodyKinds())
      if (kind.name == name) body.body = kind.make(numbers(node, kind.least, kind.most));
    body.description = body.body.description;
    return body;
  }

  /// {z: 45}, or a list of such turns about fixed axes, the first one first.
  Eigen::Matrix3d rotationOf(const YAML::Node& node) const {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    const std::vector<YAML::Node> turns =
        node.IsSequence() ? std::vector<YAML::Node>(node.begin(), node.end()) : std::vector<YAML::Node>{node};
    for (const YAML::Node& turn : turns) {
      requireKeys(turn, {"x", "y", "z"}, "a turn");
      if (turn.size() != 1)
        refuse(turn, "a turn is about one axis, {z: 45}; several are a list, [{x: 90}, {z: 45}]");
      const auto axis = turn.begin()->first.as<std::string>();
      const Eigen::Vector3d direction = axis == "x"   ? Eigen::Vector3d::UnitX()
                                        : axis == "y" ? Eigen::Vector3d::UnitY()
                                                      : Eigen::Vector3d::UnitZ();
      const double angle = number(turn.begin()->second) * kRadiansPerDegree;
      rotation = Eigen::AngleAxisd(angle, direction).toRotationMatrix() * rotation;
    }
    return rotation;
  }

  SizeDistribution sizeOf(const YAML::Node& map) const {
    requireKeys(map, {"distribution", "sigma", "points"}, "a distribution of sizes");
    SizeDistribution size;
    if (const YAML::Node kind = map["distribution"]) {
      const auto name = kind.as<std::string>("");
      if (name != "gaussian" && name != "lognormal")
        refuse(kind, fmt::format("found '{}'; expected gaussian or lognormal", name));
      if (name == "lognormal") size.kind = SizeDistribution::Kind::LogNormal;
    }
    if (!map["sigma"]) refuse(map, "a distribution of sizes needs sigma");
    size.sigma = number(map["sigma"]);
    if (!map["points"]) return size;
    const double points = number(map["points"]);
    if (points != std::floor(points) || !(points >= 3 && points <= 1000))
      refuse(map["points"], "a distribution of sizes takes 3 to 1000 points");
    size.points = static_cast<int>(points);
    return size;
  }

  /// Refuses layers that make no sample, and particles that fit into none of them.
  void requireLayers(const YAML::Node& root, const Scene& scene) const {
    const LayerStack layers =
        at(root["layers"] ? root["layers"] : root, [&] { return LayerStack(scene.films); });
    const auto nodes = listIn(root, "particles");
    for (std::size_t i = 0; i < nodes.size(); ++i)
      at(nodes[i], [&] {
        Scene one;
        one.particles = {scene.particles[i]};
        placed(one, layers);
        return 0;
      });
  }

  void requireMediaOfAll(const YAML::Node& root, const Scene& scene) const {
    std::size_t bodies = 0, media = 0;
    for (const Particle& p : scene.particles)
      for (const SceneBody& b : p.bodies) {
        ++bodies;
        media += b.medium ? 1 : 0;
      }
    if (media > 0 && media < bodies)
      refuse(root["particles"], "some bodies have a material and others have none; give all or none one");
    if (media > 0 || scene.films.empty()) return;
    const LayerStack layers(scene.films);
    for (const PlacedParticle& p : placed(scene, layers))
      for (const PlacedBody& b : p.bodies)
        if (b.layer > 0) refuse(root["particles"], "bodies in a layer need a material");
  }

  std::string path_;
  std::filesystem::path folder_;
  double wavelength_;
  std::map<std::string, Medium> materials_;
  std::vector<std::string> files_;
};

}  // namespace

bool hasScenes() { return true; }

Scene readScene(const std::string& path, double wavelength) {
  try {
    return SceneReader(path, wavelength).read();
  } catch (const YAML::Exception& e) {
    throw Error(fmt::format("{}:{}:{}: {}", path, e.mark.line + 1, e.mark.column + 1, e.msg));
  }
}

#else

bool hasScenes() { return false; }

Scene readScene(const std::string& path, double) {
  throw Error(path +
              ": this program was built without yaml-cpp, which reads scenes; install it (Debian: "
              "libyaml-cpp-dev), configure and build again");
}

#endif
}  // namespace prophet
