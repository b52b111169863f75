#include "matter/shape/scene.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/common/constants.hpp"
#include "core/common/degree.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "matter/shape/form_factor_file.hpp"

namespace prophet {
namespace {

using SceneComplex = std::complex<double>;

constexpr double kWidths = 4;           // standard deviations of sizes beyond which 3e-5 of them lie
constexpr double kUsualStep = 1.0 / 3;  // between sizes, standard deviations
constexpr double kWidestStep = 1.4;     // the trapezoidal rule is off by 2 exp(-2 pi^2/step^2), 8e-5
constexpr double kLargestFactor = 1e6;

/// Factors of size and their shares, which add up to 1. Intensities go with the sixth power of the size: that
/// of the sizes times their number has its middle at no more than 6 sigma above that of their number, so that
/// the sum ends at so much more.
std::vector<std::pair<double, double>> sizesOf(const SizeDistribution& s) {
  if (s.sigma == 0) return {{1.0, 1.0}};
  const bool gaussian = s.kind == SizeDistribution::Kind::Gaussian;
  if (!(s.sigma > 0)) throw Error("sigma of a distribution of sizes is 0 or more");
  if (gaussian && !(kWidths * s.sigma < 1))
    throw Error("sigma of a Gaussian distribution of sizes is below 0.25; take a lognormal one");
  const double last = kWidths + 6 * s.sigma;
  if (!gaussian && !(s.sigma * last < std::log(kLargestFactor)))
    throw Error(
        "sigma of a lognormal distribution of sizes is below 1.22: of broader ones most intensity comes "
        "from sizes a million times the median");
  const int least = 1 + static_cast<int>(std::ceil((kWidths + last) / kWidestStep));
  const int points = s.points > 0 ? s.points : 1 + static_cast<int>(std::ceil((kWidths + last) / kUsualStep));
  if (points < least || points > 1000)
    throw Error(
        fmt::format("a distribution of sizes with sigma {:g} takes {} to 1000 points", s.sigma, least));
  std::vector<std::pair<double, double>> sizes;
  double all = 0;
  for (int i = 0; i < points; ++i) {
    // The trapezoidal rule, which converges fast for functions that vanish at both ends.
    const double x = -kWidths + (kWidths + last) * i / (points - 1), share = std::exp(-0.5 * x * x);
    sizes.emplace_back(gaussian ? 1 + s.sigma * x : std::exp(s.sigma * x), share);
    all += share;
  }
  for (auto& [size, share] : sizes) share /= all;
  return sizes;
}

/// The largest r.direction of a particle of size 1 around its own origin.
double reachOf(const Particle& p, const Eigen::Vector3d& direction) {
  const Eigen::Vector3d inside = p.rotation.transpose() * direction;
  double farthest = -std::numeric_limits<double>::infinity();
  for (const SceneBody& b : p.bodies)
    farthest = std::max(farthest, inside.dot(b.position) + b.reach(b.rotation.transpose() * inside));
  return farthest;
}

/// What lies of a body between two planes; none if nothing does.
std::shared_ptr<const SceneBody> partOf(const SceneBody& b, const Eigen::Vector3d& direction, double low,
                                        double high) {
  if (!b.body.part) throw Error("it has no corners, only areas, normals and centres");
  auto part = std::make_shared<SceneBody>(b);
  if (b.elements.empty()) {
    std::optional<Body> cut = b.body.part(direction, low, high);
    if (!cut) return nullptr;
    part->body = std::move(*cut);
  } else {
    const TriangleMesh whole = b.body.surface(static_cast<int>(b.elements.size()));
    part->elements = surfaceElements(slab(whole, direction, low, high, CutFaces::Fine));
    if (part->elements.empty()) return nullptr;
  }
  return part;
}

/// The body, or its parts in several layers.
std::vector<PlacedBody> place(const SceneBody& b, const Particle& p, double scale, double height,
                              const LayerStack& layers) {
  PlacedBody body;
  body.body = &b;
  body.scale = scale;
  body.rotation = p.rotation * b.rotation;
  body.position = Eigen::Vector3d(p.position(0), p.position(1), height) + scale * (p.rotation * b.position);
  const Eigen::Vector3d up = body.rotation.transpose() * Eigen::Vector3d::UnitZ();
  const double low = body.position(2) - scale * b.reach(-up), high = body.position(2) + scale * b.reach(up);
  const std::vector<int> where = layers.layersOf(low, high);
  std::vector<PlacedBody> list;
  for (const int layer : where) {
    body.layer = layer;
    if (where.size() > 1) {
      const auto inside = [&](double z) { return (z - body.position(2)) / scale; };
      try {
        body.part = partOf(b, up, inside(layers.bottom(layer)), inside(layers.top(layer)));
      } catch (const Error& e) {
        throw Error(fmt::format("a body from z = {:g} to {:g} angstrom cannot be cut at an interface: {}",
                                low, high, e.what()));
      }
      if (!body.part) continue;
      body.body = body.part.get();
    }
    if (b.medium) body.strength = contrast(*b.medium, layers.medium(layer));
    list.push_back(body);
  }
  return list;
}

/// The first pixel of each row, of which all have the same angle, and the number of all.
std::vector<int> rowsOf(const std::vector<double>& alpha) {
  std::vector<int> first;
  for (std::size_t i = 0; i < alpha.size(); ++i)
    if (i == 0 || alpha[i] != alpha[i - 1]) first.push_back(static_cast<int>(i));
  first.push_back(static_cast<int>(alpha.size()));
  return first;
}

/// qx and qy of each pixel in the frame of the sample.
Eigen::Matrix2Xd alongSurface(const Exposure& e) {
  Eigen::Matrix2Xd q(2, static_cast<Eigen::Index>(e.alphaF.size()));
  const Eigen::Rotation2Dd back(-e.omega);
  for (std::size_t i = 0; i < e.alphaF.size(); ++i) {
    const double out = std::cos(e.alphaF[i]);
    q.col(static_cast<Eigen::Index>(i)) =
        e.waveNumber * (back * Eigen::Vector2d(out * std::cos(e.twoThetaF[i]) - std::cos(e.alphaI),
                                               out * std::sin(e.twoThetaF[i])));
  }
  return q;
}

/// Adds the terms of one body.
class Terms {
 public:
  /// `q`: the pixels with their rows, without waves.
  Terms(const PlacedBody& body, const LayerStack& layers, const Exposure& e, const QRows& q)
      : body_(body), q_(q), in_(layers.waves(e.waveNumber, e.alphaI)[layerOf(body)]) {
    for (std::size_t row = 0; row + 1 < q.first.size(); ++row)
      out_.push_back(
          layers.waves(e.waveNumber, e.alphaF[static_cast<std::size_t>(q.first[row])])[layerOf(body)]);
  }

  void addTo(FormFactor& sum, const BodySums& sums) {
    std::vector<std::pair<int, int>> pairs;
    for (const int in : {1, -1})
      for (const int out : {1, -1})
        if (part(in_, in) != 0.0 &&
            std::any_of(out_.begin(), out_.end(), [&](const LayerWave& w) { return part(w, out) != 0.0; }))
          pairs.emplace_back(in, out);
    if (pairs.empty()) return;
    q_.z.resize(static_cast<Eigen::Index>(pairs.size()), static_cast<Eigen::Index>(out_.size()));
    for (std::size_t n = 0; n < pairs.size(); ++n)
      for (std::size_t row = 0; row < out_.size(); ++row)
        q_.z(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(row)) =
            std::conj(static_cast<double>(pairs[n].first) * in_.kz +
                      static_cast<double>(pairs[n].second) * out_[row].kz);
    // The conjugate of the integral of exp(-i q.r) over the body around its origin: conj(F(-q)) = F(conj(q)),
    // as the body is real.
    const Eigen::MatrixXcd f = sums(body_, q_);
    for (const RowTile& row : tilesOf(q_, std::max(1, q_.pixels()))) {
      std::array<SceneComplex, QRows::kMostWaves> outside;
      for (std::size_t n = 0; n < pairs.size(); ++n)
        outside[n] =
            std::conj(part(in_, pairs[n].first) *
                      part(out_[static_cast<std::size_t>(row.row)], pairs[n].second) * body_.strength);
      for (int i = row.first; i < row.first + row.count; ++i) {
        SceneComplex all = 0;
        for (std::size_t n = 0; n < pairs.size(); ++n) all += outside[n] * f(static_cast<Eigen::Index>(n), i);
        sum[static_cast<std::size_t>(i)] +=
            all * std::polar(1.0, q_.along.col(i).dot(body_.position.head<2>()));
      }
    }
  }

 private:
  static std::size_t layerOf(const PlacedBody& body) { return static_cast<std::size_t>(body.layer); }
  /// The part of a wave that goes down (1) or up (-1), at the body's origin.
  SceneComplex part(const LayerWave& w, int direction) const {
    return direction > 0 ? w.downAt(body_.position(2)) : w.upAt(body_.position(2));
  }

  const PlacedBody& body_;
  QRows q_;
  LayerWave in_;
  std::vector<LayerWave> out_;  ///< of each row
};

}  // namespace

double SceneBody::reach(const Eigen::Vector3d& direction) const {
  if (body.reach) return body.reach(direction);
  double farthest = -std::numeric_limits<double>::infinity();
  for (const SurfaceElement& e : elements) farthest = std::max(farthest, direction.dot(e.centre));
  return farthest;
}

SceneBody bodyOfFile(const std::string& path, double unit) {
  SceneBody body;
  const std::filesystem::path file(path);
  const std::string ending = lowerCase(file.extension().string());
  if (ending == ".h5" || ending == ".hdf5" || ending == ".hdf" || ending == ".hd5") {
    body.elements = readSurfaceElements(path, unit);
    body.description = fmt::format("{} ({} triangles)", file.filename().string(), body.elements.size());
  } else {
    body.body = polyhedronBody(readMesh(path, unit));
    body.description = body.body.description;
  }
  return body;
}

bool Scene::hasMedia() const {
  for (const Particle& p : particles)
    for (const SceneBody& b : p.bodies)
      if (!b.medium) return false;
  return !particles.empty();
}

std::string Scene::description() const {
  if (particles.size() == 1 && particles.front().bodies.size() == 1)
    return particles.front().bodies.front().description;
  std::size_t bodies = 0;
  for (const Particle& p : particles) bodies += p.bodies.size();
  return fmt::format("{} kind{} of particles with {} bod{}", particles.size(),
                     particles.size() == 1 ? "" : "s", bodies, bodies == 1 ? "y" : "ies");
}

std::vector<SurfaceElement> PlacedBody::elements() const {
  std::vector<SurfaceElement> list = body->elements;
  for (SurfaceElement& e : list) {
    e.area *= scale * scale;
    e.normal = rotation * e.normal;
    e.centre = scale * (rotation * e.centre);
  }
  return list;
}

SceneComplex PlacedBody::formFactor(const Eigen::Vector3d& q) const {
  return scale * scale * scale * body->body.formFactor(scale * (rotation.transpose() * q));
}

SceneComplex PlacedBody::formFactor(const Eigen::Vector3cd& q) const {
  return scale * scale * scale * body->body.complexFormFactor(scale * (rotation.transpose() * q));
}

std::vector<PlacedParticle> placed(const Scene& scene, const LayerStack& layers) {
  if (scene.particles.empty()) throw Error("there are no particles");
  double all = 0;
  for (const Particle& p : scene.particles) {
    if (!(p.weight > 0 && std::isfinite(p.weight))) throw Error("the weight of a particle is above 0");
    all += p.weight;
  }
  if (!std::isfinite(all)) throw Error("the weights of the particles are too large");
  std::vector<PlacedParticle> list;
  for (const Particle& p : scene.particles) {
    const double lowest = -reachOf(p, {0, 0, -1});
    for (const auto& [size, share] : sizesOf(p.size)) {
      PlacedParticle particle;
      particle.weight = share * p.weight / all;
      const double height = p.height ? *p.height : p.bottom - size * lowest;
      for (const SceneBody& b : p.bodies)
        for (PlacedBody& body : place(b, p, size, height, layers)) particle.bodies.push_back(std::move(body));
      list.push_back(std::move(particle));
    }
  }
  return list;
}

Exposure exposureOf(const Detector& detector, double omega) {
  Exposure e;
  e.waveNumber = detector.waveNumber();
  e.alphaI = kRadiansPerDegree * detector.alphaI;
  e.omega = kRadiansPerDegree * omega;
  for (int row = 0; row < detector.rowCount(); ++row) {
    for (int column = 0; column < detector.rowSize(); ++column) {
      const Eigen::Vector2d pixel = kRadiansPerDegree * detector.pixel(row, column);
      e.alphaF.push_back(pixel(0));
      e.twoThetaF.push_back(pixel(1));
    }
  }
  return e;
}

FormFactor amplitudes(const PlacedParticle& particle, const LayerStack& layers, const Exposure& exposure,
                      const BodySums& sums) {
  if (!layers.isBare() &&
      std::any_of(exposure.alphaF.begin(), exposure.alphaF.end(), [](double alpha) { return alpha < 0; }))
    throw Error(
        "on layers alpha_f starts at 0 degrees or above: below the horizon there is no reflected wave");
  const QRows q{alongSurface(exposure), rowsOf(exposure.alphaF), {}};
  FormFactor sum(exposure.alphaF.size(), 0.0);
  for (const PlacedBody& body : particle.bodies) Terms(body, layers, exposure, q).addTo(sum, sums);
  return sum;
}

double crossSectionFactor(double waveNumber) {
  return std::pow(waveNumber, 4) / (16 * constants::kPi * constants::kPi);
}

}  // namespace prophet
