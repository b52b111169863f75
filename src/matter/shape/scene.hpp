#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "matter/shape/bodies.hpp"
#include "matter/shape/layers.hpp"
#include "matter/shape/q_grid.hpp"

namespace prophet {

/// A body in the frame of its particle: turned about its own origin, then moved.
struct SceneBody {
  Body body;                             ///< with its closed form, or
  std::vector<SurfaceElement> elements;  ///< triangles in its place
  std::string description;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< angstrom
  std::optional<Medium> medium;                        ///< none: it scatters with the strength 1

  /// The largest r.direction of a point of it in its own frame; of a file without corners, of the centres of
  /// its triangles.
  double reach(const Eigen::Vector3d& direction) const;
};

/// How sizes of a particle are distributed: all its lengths are multiplied by a factor.
struct SizeDistribution {
  enum class Kind { Gaussian, LogNormal };
  Kind kind = Kind::Gaussian;
  double sigma = 0;  ///< standard deviation of the factor, or of its logarithm
  int points = 0;  ///< of the sum that is taken, from -4 to 4 + 6 sigma, times sigma; 0: three for each sigma
};

/// Bodies that scatter coherently. It is scaled and turned about its origin, then placed.
struct Particle {
  std::vector<SceneBody> bodies;
  double weight = 1;  ///< number of such particles, in any unit
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  ///< x and y of its origin, angstrom
  std::optional<double> height;                        ///< z of its origin; none:
  double bottom = 0;                                   ///< z of its lowest point
  SizeDistribution size;
};

/// What scatters: particles on, in and below layers.
struct Scene {
  std::vector<Film> films;
  std::vector<Particle> particles;
  std::vector<std::string> files{};  ///< of surfaces

  /// Whether all bodies have a medium, so that cross sections are known.
  bool hasMedia() const;
  /// "cylinder of radius 50 and height 80 angstrom", or what there is.
  std::string description() const;
};

/// Whether this program reads scenes from files.
bool hasScenes();

/// Reads a scene in YAML (docs/reference/scenes.md). `wavelength` (angstrom) is for materials by scattering
/// factors; 0: there are none. Throws Error with file, line and column.
Scene readScene(const std::string& path, double wavelength);

/// A surface (.stl, .obj, .ply), or triangles (.h5) without a closed form. Lengths of the file are `unit`
/// angstrom. Throws Error.
SceneBody bodyOfFile(const std::string& path, double unit);

/// A body, or the part of a body in one layer, in its place.
struct PlacedBody {
  const SceneBody* body = nullptr;
  std::shared_ptr<const SceneBody> part{};  ///< what `body` is where an interface cuts the scene's
  double scale = 1;
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  int layer = 0;
  std::complex<double> strength = 1;  ///< n^2 of the body less that of its layer, or 1

  /// Triangles around its own origin, turned and scaled.
  std::vector<SurfaceElement> elements() const;
  /// The closed form, around its own origin: real momenta, and complex ones.
  std::complex<double> formFactor(const Eigen::Vector3d& q) const;
  std::complex<double> formFactor(const Eigen::Vector3cd& q) const;
};

/// A particle of one size; weights of all of a scene add up to 1.
struct PlacedParticle {
  double weight = 1;
  std::vector<PlacedBody> bodies;
};

/// All particles of all sizes; bodies that interfaces cut are several, one in each layer. The scene must
/// outlive them. Throws Error for weights and distributions that are out of range, and for bodies without
/// corners that an interface cuts.
std::vector<PlacedParticle> placed(const Scene& scene, const LayerStack& layers);

/// A wave that comes in, waves that go out, and how far the sample is turned.
struct Exposure {
  double waveNumber = 1;                    ///< 1/angstrom
  double alphaI = 0, omega = 0;             ///< radians
  std::vector<double> alphaF, twoThetaF{};  ///< of each pixel, radians
};

/// The exposure of all pixels of a detector; `omega` is in degrees.
Exposure exposureOf(const Detector& detector, double omega);

/// Form factors of a placed body around its origin, angstrom^3: a column for each pixel with its waves.
using BodySums = std::function<Eigen::MatrixXcd(const PlacedBody&, const QRows&)>;

/// Amplitudes of a particle in the distorted-wave Born approximation for layers (M. Rauscher et al., J. Appl.
/// Phys. 86, 6763 (1999); G. Renaud, R. Lazzari, F. Leroy, Surf. Sci. Rep. 64, 255 (2009)), at each pixel
///   sum_b s_b sum_jk psi_i,j(z_b) psi_f,k(z_b) F_b(q_jk) exp(i q.r_b)
/// with the parts j, k of both waves that go down and up in the body's layer and q_z the sum of their
/// momenta. The complex conjugate is returned, as F is defined with exp(i q.r) and the time as exp(-i omega
/// t), in which +i beta absorbs. The sample is turned by omega about z, counter-clockwise seen from above.
/// Throws Error for pixels below the horizon of layers, where this says nothing.
FormFactor amplitudes(const PlacedParticle& particle, const LayerStack& layers, const Exposure& exposure,
                      const BodySums& sums);

/// k^4/(16 pi^2), 1/angstrom^4: the differential cross section (angstrom^2 per steradian) over the square of
/// an amplitude with n^2 in it.
double crossSectionFactor(double waveNumber);

}  // namespace prophet
