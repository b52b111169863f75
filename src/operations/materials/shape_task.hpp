#pragma once
#include <memory>
#include <string>
#include <vector>

#include "matter/shape/scene.hpp"
#include "operations/materials/shape_request.hpp"

namespace prophet {

/// "exact", "sum", "fft".
const char* nameOf(ShapeMethod method);

/// What is transformed, and how.
struct ShapeTask {
  ShapeMethod method = ShapeMethod::Exact;  ///< never Automatic
  std::string description;
  std::shared_ptr<const Scene> scene;
  LayerStack layers;
  std::vector<PlacedParticle> particles;  ///< of all sizes; they point into the scene

  /// Whether all particles are equal, so that the intensity follows from the amplitude.
  bool isUniform() const { return particles.size() == 1; }
  /// Triangles of all particles.
  std::size_t elementCount() const;
};

/// Reads or makes the scene. Throws SettingError for a method that a file cannot have, Error for a file that
/// cannot be read.
ShapeTask shapeTask(const ShapeRequest& request);

/// Seconds that the sums take on two processors, about.
double secondsOnProcessor(const ShapeTask& task, const ShapeRequest& request);

/// Whether the intensity is a mean that does not follow from the amplitude.
bool isMeanIntensity(const ShapeTask& task, const ShapeRequest& request);

/// What some rows have: the mean amplitude of all particles (angstrom^3), and the intensity of the
/// arrangement for each particle (angstrom^6); empty where that is |amplitude|^2 times the interference,
/// !isMeanIntensity.
struct Scattered {
  FormFactor amplitude;
  std::vector<double> intensity;
};

/// Amplitudes and intensities of tiles of rows.
class ShapeSum {
 public:
  ShapeSum(const ShapeTask& task, const ShapeRequest& request, ShapeEngine& engine, int threads)
      : task_(task), request_(request), engine_(engine), threads_(threads) {}
  Scattered rows(int first, int count) const;

 private:
  /// One particle, whichever way the request says where.
  FormFactor of(const PlacedParticle& particle, int image, int first, int count, double omega) const;
  FormFactor onGrid(const PlacedParticle& particle, const QGrid& grid) const;
  FormFactor atPoints(const PlacedParticle& particle, const QPoints& q) const;
  FormFactor bodyAt(const PlacedBody& body, const QPoints& q) const;
  Eigen::MatrixXcd bodyOn(const PlacedBody& body, const QRows& q) const;
  /// Adds rows of one image to what is there.
  void add(int image, int first, int count, Scattered& sum) const;

  const ShapeTask& task_;
  const ShapeRequest& request_;
  ShapeEngine& engine_;
  int threads_;
};

/// The mean of all particles at a point in Born's approximation, the closed form or the sum over triangles.
std::complex<double> bornAmplitude(const ShapeTask& task, const Eigen::Vector3d& q);

/// Rows of each tile: as many as fit into the memory, evenly, but enough tiles to show progress in long sums
/// and to share among `ranks`. Throws Error where one row does not fit.
int rowsOfTile(const ShapeTask& task, const ShapeRequest& request, int threads, int ranks);

}  // namespace prophet
