#include "operations/materials/shape_task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/index.hpp"
#include "core/common/memory.hpp"
#include "core/common/threads.hpp"
#include "core/mesh/nufft.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {
namespace {

/// The scene of a request for one body: it is centred on the origin, or stands on the substrate.
Scene sceneOfBody(const ShapeRequest& request) {
  Scene scene;
  Particle particle;
  if (request.body) {
    SceneBody body;
    body.body = *request.body;
    body.description = body.body.description;
    particle.bodies.push_back(std::move(body));
  } else {
    particle.bodies.push_back(bodyOfFile(request.file, request.unit.value_or(1)));
  }
  particle.bodies.front().medium = request.bodyMedium;
  if (request.substrate) {
    Film film;
    film.medium = *request.substrate;
    scene.films.push_back(film);
  } else {
    particle.height = 0;
  }
  scene.particles.push_back(std::move(particle));
  return scene;
}

bool hasClosedForm(const SceneBody& body) { return body.elements.empty(); }

/// Chooses the method, and cuts surfaces into triangles where it needs them.
ShapeMethod prepare(Scene& scene, const ShapeRequest& request) {
  bool closed = true;
  for (const Particle& p : scene.particles)
    for (const SceneBody& b : p.bodies) closed = closed && hasClosedForm(b);
  if (request.method == ShapeMethod::Exact && !closed)
    throw SettingError("method",
                       "exact needs the corners of the triangles; a file of areas, normals and centres can "
                       "be used with sum and fft");
  const ShapeMethod method = request.method != ShapeMethod::Automatic ? request.method
                             : closed                                 ? ShapeMethod::Exact
                                                                      : ShapeMethod::Sum;
  if (method == ShapeMethod::Exact) {
    if (request.precision == Precision::Single)
      throw SettingError("precision",
                         "belongs to the methods sum and fft; the closed form is in double precision");
    return method;
  }
  for (Particle& p : scene.particles)
    for (SceneBody& b : p.bodies) {
      if (!hasClosedForm(b)) continue;
      b.elements = surfaceElements(b.body.surface(request.triangles.value_or(20000)));
      if (request.body) b.description += fmt::format(", {} triangles", b.elements.size());
    }
  return method;
}

double pairsOf(const ShapeTask& task, const ShapeRequest& request) {
  const double turns = request.meanOfOmega ? static_cast<double>(request.omegas().size()) : 1;
  return static_cast<double>(request.size()) * turns *
         static_cast<double>(std::max<std::size_t>(task.elementCount(), 100 * task.particles.size())) *
         (task.layers.isBare() ? 1 : 4);
}

/// Bytes that a tile of so many rows takes.
double bytesOf(const ShapeTask& task, const ShapeRequest& request, int threads, int rows) {
  const double points = static_cast<double>(rows) * static_cast<double>(request.rowSize());
  if (!request.grid) return 500 * points;  // momenta, waves, four terms, the fields of the file
  const int ny = request.grid->axes[1].count, nz = request.grid->axes[2].count;
  if (task.method != ShapeMethod::Transform) return 72 * points + 32.0 * threads * rows * ny;
  return 80 * points + 16 * static_cast<double>(meshPoints(
                                nufftMesh({rows, ny, nz}, kernelFor(request.tolerance.value_or(1e-6)))));
}

}  // namespace

const char* nameOf(ShapeMethod method) {
  return method == ShapeMethod::Exact ? "exact" : method == ShapeMethod::Sum ? "sum" : "fft";
}

std::size_t ShapeTask::elementCount() const {
  std::size_t count = 0;
  for (const PlacedParticle& p : particles)
    for (const PlacedBody& b : p.bodies) count += b.body->elements.size();
  return count;
}

bool isMeanIntensity(const ShapeTask& task, const ShapeRequest& request) {
  return !task.isUniform() || request.omega.has_value();
}

ShapeTask shapeTask(const ShapeRequest& request) {
  Scene scene =
      request.isScene() ? readScene(request.file, request.wavelength.value_or(0)) : sceneOfBody(request);
  ShapeTask task;
  task.method = prepare(scene, request);
  task.scene = std::make_shared<const Scene>(std::move(scene));
  task.description = task.scene->description();
  task.layers = LayerStack(task.scene->films);
  if (!request.detector && !task.scene->films.empty())
    throw SettingError("file",
                       "has layers, which need a beam; give alpha_i, wavelength, alpha_f and two_theta_f");
  task.particles = placed(*task.scene, task.layers);
  return task;
}

double secondsOnProcessor(const ShapeTask& task, const ShapeRequest& request) {
  if (task.method == ShapeMethod::Exact) return 0;
  if (task.method == ShapeMethod::Transform)
    return (static_cast<double>(request.size()) + static_cast<double>(task.elementCount())) / 1e6;
  const bool hasRows = request.detector && !request.detector->isList();
  return pairsOf(task, request) / (request.grid ? 1e9 : !hasRows ? 5e7 : task.layers.isBare() ? 3e8 : 1.2e9);
}

FormFactor ShapeSum::bodyAt(const PlacedBody& body, const QPoints& q) const {
  if (task_.method != ShapeMethod::Exact) return engine_.sumAtPoints(body.elements(), q, request_.precision);
  FormFactor f(usize(q.cols()));
  constexpr Eigen::Index kPoints = 64;
  const Eigen::Index count = q.cols();
  ThreadPool(threads_).forEach(static_cast<int>((count + kPoints - 1) / kPoints), [&](int task, int) {
    for (Eigen::Index i = task * kPoints; i < std::min(count, (task + 1) * kPoints); ++i)
      f[usize(i)] = body.formFactor(Eigen::Vector3d(q.col(i)));
  });
  return f;
}

Eigen::MatrixXcd ShapeSum::bodyOn(const PlacedBody& body, const QRows& q) const {
  if (task_.method != ShapeMethod::Exact) return engine_.sumOnRows(body.elements(), q, request_.precision);
  constexpr int kPixels = 64;
  const std::vector<RowTile> tiles = tilesOf(q, kPixels);
  Eigen::MatrixXcd f(q.waves(), q.pixels());
  ThreadPool(threads_).forEach(static_cast<int>(tiles.size()), [&](int i, int) {
    const RowTile& tile = tiles[usize(i)];
    for (int pixel = tile.first; pixel < tile.first + tile.count; ++pixel) {
      for (int wave = 0; wave < q.waves(); ++wave) {
        const Eigen::Vector3cd at = q.momentum(wave, tile.row, pixel);
        f(wave, pixel) =
            at(2).imag() == 0 ? body.formFactor(Eigen::Vector3d(at.real())) : body.formFactor(at);
      }
    }
  });
  return f;
}

FormFactor ShapeSum::atPoints(const PlacedParticle& particle, const QPoints& q) const {
  FormFactor sum(usize(q.cols()), 0.0);
  for (const PlacedBody& body : particle.bodies) {
    const FormFactor f = bodyAt(body, q);
    for (std::size_t i = 0; i < f.size(); ++i)
      sum[i] += std::conj(body.strength) *
                std::polar(1.0, q.col(static_cast<Eigen::Index>(i)).dot(body.position)) * f[i];
  }
  return sum;
}

FormFactor ShapeSum::onGrid(const PlacedParticle& particle, const QGrid& grid) const {
  if (task_.method == ShapeMethod::Exact) return atPoints(particle, pointsOf(grid));
  FormFactor sum(grid.size(), 0.0);
  for (const PlacedBody& body : particle.bodies) {
    std::vector<SurfaceElement> elements = body.elements();
    for (SurfaceElement& e : elements) e.centre += body.position;
    const FormFactor f =
        task_.method == ShapeMethod::Sum
            ? engine_.sumOnGrid(elements, grid, request_.precision)
            : engine_.transformOnGrid(elements, grid, request_.tolerance.value_or(1e-6), request_.precision);
    for (std::size_t i = 0; i < f.size(); ++i) sum[i] += std::conj(body.strength) * f[i];
  }
  return sum;
}

FormFactor ShapeSum::of(const PlacedParticle& particle, int image, int first, int count, double omega) const {
  if (request_.points) return atPoints(particle, request_.momenta(first, count));
  if (request_.grid) return onGrid(particle, request_.grid->planes(first, count));
  return amplitudes(particle, task_.layers, exposureOf(request_.detectorOf(image, first, count), omega),
                    [this](const PlacedBody& body, const QRows& q) { return bodyOn(body, q); });
}

void ShapeSum::add(int image, int first, int count, Scattered& sum) const {
  const std::vector<double> turns =
      request_.meanOfOmega ? request_.omegas() : std::vector<double>{request_.images()[usize(image)].omega};
  const double share = 1 / static_cast<double>(turns.size());
  const int begin = image * request_.rowsOfImage() + first;
  const std::size_t size = usize(count) * request_.rowSize(), at = sum.amplitude.size();
  sum.amplitude.resize(at + size, 0.0);
  const bool isPlain = !isMeanIntensity(task_, request_);
  if (!isPlain) sum.intensity.resize(at + size);
  const QPoints q = !isPlain && request_.isArranged() ? request_.momenta(begin, count) : QPoints(3, 0);
  for (const double omega : turns) {
    FormFactor mean(size, 0.0);
    std::vector<double> square(isPlain ? 0 : size);
    for (const PlacedParticle& particle : task_.particles) {
      const FormFactor f = of(particle, image, first, count, omega);
      for (std::size_t i = 0; i < size; ++i) mean[i] += particle.weight * f[i];
      for (std::size_t i = 0; i < square.size(); ++i) square[i] += particle.weight * std::norm(f[i]);
    }
    for (std::size_t i = 0; i < size; ++i) sum.amplitude[at + i] += share * mean[i];
    // Decoupling approximation: sizes and kinds do not depend on the place.
    for (std::size_t i = 0; i < square.size(); ++i) {
      const double order = q.cols() > 0 ? interference(request_.arrangement,
                                                       turned(q.col(static_cast<Eigen::Index>(i)), -omega))
                                        : 1;
      sum.intensity[at + i] += share * (square[i] + std::norm(mean[i]) * (order - 1));
    }
  }
}

Scattered ShapeSum::rows(int first, int count) const {
  // Threads take pieces with all particles in them, where there are enough pieces.
  constexpr int kPoints = 512;
  const int longest = kPoints / static_cast<int>(std::min<std::size_t>(request_.rowSize(), kPoints)),
            length = std::max(1, std::min(longest, count / (4 * threads_))),
            pieces = (count + length - 1) / length;
  Scattered sum;
  if (task_.method != ShapeMethod::Exact || threads_ == 1 || pieces < 2 * threads_) {
    request_.eachImage(first, count, [&](int image, int row, int rows) { add(image, row, rows, sum); });
    return sum;
  }
  std::vector<Scattered> parts(usize(pieces));
  const ShapeSum alone(task_, request_, engine_, 1);
  ThreadPool(threads_).forEach(pieces, [&](int piece, int) {
    parts[usize(piece)] = alone.rows(first + piece * length, std::min(length, count - piece * length));
  });
  for (const Scattered& part : parts) {
    sum.amplitude.insert(sum.amplitude.end(), part.amplitude.begin(), part.amplitude.end());
    sum.intensity.insert(sum.intensity.end(), part.intensity.begin(), part.intensity.end());
  }
  return sum;
}

std::complex<double> bornAmplitude(const ShapeTask& task, const Eigen::Vector3d& q) {
  std::complex<double> sum = 0;
  for (const PlacedParticle& particle : task.particles)
    for (const PlacedBody& body : particle.bodies) {
      const std::complex<double> f = task.method == ShapeMethod::Exact
                                         ? body.formFactor(q)
                                         : sumAtPoints(body.elements(), QPoints(q)).front();
      sum += particle.weight * std::conj(body.strength) * std::polar(1.0, q.dot(body.position)) * f;
    }
  return sum;
}

int rowsOfTile(const ShapeTask& task, const ShapeRequest& request, int threads, int ranks) {
  const double memory = request.memory ? *request.memory * (1 << 30) : availableMemory() / 4;
  const int all = request.rows();
  if (bytesOf(task, request, threads, 1) > memory)
    throw Error(fmt::format("one {} needs {:.2f} GiB; give more memory or a coarser grid{}",
                            request.grid ? "plane of the grid" : "row of the detector",
                            bytesOf(task, request, threads, 1) / (1 << 30),
                            task.method == ShapeMethod::Transform ? ", or take method sum" : ""));
  const double wanted = task.method == ShapeMethod::Transform ? 1 : pairsOf(task, request) / 3e10;
  int tiles =
      static_cast<int>(std::clamp(std::max(wanted, ranks > 1 ? 4.0 * ranks : 1.0), 1.0,
                                  std::max(1.0, ranks > 1 ? static_cast<double>(all) : 0.5 * all + 1)));
  // A tile travels between ranks as one message of less than 2 GiB.
  const double most = ranks > 1 ? 1e9 / (16 * static_cast<double>(request.rowSize())) : 1e18;
  const auto rows = [&] { return (all + tiles - 1) / tiles; };
  while (tiles < all && (bytesOf(task, request, threads, rows()) > memory || rows() > most)) ++tiles;
  return rows();
}

}  // namespace prophet
