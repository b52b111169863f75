#include "matter/shape/surface_sum.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/common/threads.hpp"
#include "core/linalg/dense.hpp"
#include "core/mesh/nufft.hpp"
#include "matter/shape/flat_elements.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kLongWave = 2;
constexpr double kLongWaveOfRows = 0.05;  // sums of exp are off by 3/0.05 roundings here

/// Elements around the middle of their box.
struct Centred {
  explicit Centred(const std::vector<SurfaceElement>& given) : elements(given) {
    if (elements.empty()) return;
    Eigen::Vector3d low = elements.front().centre, high = low;
    for (const SurfaceElement& e : elements) {
      low = low.cwiseMin(e.centre);
      high = high.cwiseMax(e.centre);
    }
    centre = 0.5 * (low + high);
    radius = 0.5 * (high - low).norm();
    for (SurfaceElement& e : elements) e.centre -= centre;
  }
  bool isLongWave(const Eigen::Vector3d& q) const { return q.norm() * radius < kLongWave; }

  std::vector<SurfaceElement> elements;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0;
};

/// exp(i x) - 1 without loss at small x.
Complex exponentialMinusOne(double x) { return Complex(0, 2 * std::sin(0.5 * x)) * std::polar(1.0, 0.5 * x); }

Complex sumAt(const Centred& body, const Eigen::Vector3d& q) {
  const double square = q.squaredNorm();
  double volume = 0;
  if (square == 0) {
    for (const SurfaceElement& e : body.elements) volume += e.area * e.normal.dot(e.centre) / 3;
    return volume;
  }
  Complex sum = 0;
  for (const SurfaceElement& e : body.elements)
    sum += e.area * q.dot(e.normal) * exponentialMinusOne(q.dot(e.centre));
  return std::polar(1.0, q.dot(body.centre)) * sum / Complex(0, square);
}

Complex product(const Eigen::Vector3cd& a, const Eigen::Vector3d& b) {
  return a(0) * b(0) + a(1) * b(1) + a(2) * b(2);
}

Complex sumAt(const Centred& body, const Eigen::Vector3cd& q) {
  // As for real momenta, but with the conjugate of q in the divergence theorem, so that the divisor is zero
  // for q = 0 only.
  const double square = q.squaredNorm();
  if (square == 0) return sumAt(body, Eigen::Vector3d(0, 0, 0));
  const Eigen::Vector3cd direction = q.conjugate();
  Complex sum = 0;
  for (const SurfaceElement& e : body.elements) {
    const Complex half = Complex(0, 0.5) * product(q, e.centre);
    sum += e.area * product(direction, e.normal) * (2.0 * std::sinh(half) * std::exp(half));
  }
  return std::exp(Complex(0, 1) * product(q, body.centre)) * sum / Complex(0, square);
}

std::size_t indexOf(const QGrid& grid, int x, int y, int z) {
  return (static_cast<std::size_t>(x) * static_cast<std::size_t>(grid.axes[1].count) +
          static_cast<std::size_t>(y)) *
             static_cast<std::size_t>(grid.axes[2].count) +
         static_cast<std::size_t>(z);
}

/// From the sums of s (q.n) exp(i q.r) of every point: the phase of the centre and 1/(i q^2); points at which
/// these lose digits are summed anew.
void finish(const Centred& body, const QGrid& grid, ThreadPool& pool, FormFactor& f) {
  pool.forEach(grid.axes[0].count, [&](int x, int) {
    for (int y = 0; y < grid.axes[1].count; ++y) {
      for (int z = 0; z < grid.axes[2].count; ++z) {
        const Eigen::Vector3d q = grid.point(x, y, z);
        Complex& value = f[indexOf(grid, x, y, z)];
        if (body.isLongWave(q)) {
          value = sumAt(body, q);
        } else {
          value *= std::polar(1.0, q.dot(body.centre)) / Complex(0, q.squaredNorm());
        }
      }
    }
  });
}

/// exp(i q r) of all points of an axis (rows) and some elements (columns).
struct PhaseTable {
  PhaseTable(const QAxis& axis, const SurfaceElement* elements, Eigen::Index count, int d)
      : real(axis.count, count), imaginary(axis.count, count) {
    for (Eigen::Index t = 0; t < count; ++t) {
      for (int i = 0; i < axis.count; ++i) {
        const double phase = axis[i] * elements[t].centre(d);
        real(i, t) = std::cos(phase);
        imaginary(i, t) = std::sin(phase);
      }
    }
  }
  Eigen::MatrixXd real, imaginary;
};

/// Adds some elements' sum s (q.n) exp(i q.r) for every point. For one qz, with c = s exp(i qz z):
/// sum_t [(qx nx + qz nz) c Ex] Ey + [c Ex] [ny qy Ey], two complex products of matrices as four real ones.
class ElementChunk {
 public:
  ElementChunk(const SurfaceElement* elements, Eigen::Index count, const QGrid& grid)
      : elements_(elements),
        count_(count),
        grid_(grid),
        x_(grid.axes[0], elements, count, 0),
        z_(grid.axes[2], elements, count, 2),
        right_(4 * count, grid.axes[1].count),
        rightTurned_(4 * count, grid.axes[1].count) {
    const PhaseTable y(grid.axes[1], elements, count, 1);
    for (int j = 0; j < grid.axes[1].count; ++j) {
      for (Eigen::Index t = 0; t < count; ++t) {
        const double weight = grid.axes[1][j] * elements[t].normal(1);
        const double re = y.real(j, t), im = y.imaginary(j, t);
        right_(4 * t, j) = re, right_(4 * t + 1, j) = -im, right_(4 * t + 2, j) = weight * re,
                      right_(4 * t + 3, j) = -weight * im;
        rightTurned_(4 * t, j) = im, rightTurned_(4 * t + 1, j) = re;
        rightTurned_(4 * t + 2, j) = weight * im, rightTurned_(4 * t + 3, j) = weight * re;
      }
    }
  }

  /// For the plane number z into real and imaginary parts, rows x and columns y.
  void add(int z, Eigen::MatrixXd& left, Eigen::MatrixXd& real, Eigen::MatrixXd& imaginary) const {
    const int rows = grid_.axes[0].count;
    const double qz = grid_.axes[2][z];
    left.resize(rows, 4 * count_);
    for (Eigen::Index t = 0; t < count_; ++t) {
      const SurfaceElement& e = elements_[t];
      const double cr = e.area * z_.real(z, t), ci = e.area * z_.imaginary(z, t);
      for (int i = 0; i < rows; ++i) {
        const double re = cr * x_.real(i, t) - ci * x_.imaginary(i, t),
                     im = cr * x_.imaginary(i, t) + ci * x_.real(i, t);
        const double weight = grid_.axes[0][i] * e.normal(0) + qz * e.normal(2);
        left(i, 4 * t) = weight * re, left(i, 4 * t + 1) = weight * im, left(i, 4 * t + 2) = re,
                    left(i, 4 * t + 3) = im;
      }
    }
    addProduct(left, right_, real);
    addProduct(left, rightTurned_, imaginary);
  }

 private:
  const SurfaceElement* elements_;
  Eigen::Index count_;
  const QGrid& grid_;
  PhaseTable x_, z_;
  Eigen::MatrixXd right_, rightTurned_;
};

template <class Points>
FormFactor sumAtEach(const std::vector<SurfaceElement>& elements, const Points& q, int threads) {
  const Centred body(elements);
  FormFactor f(static_cast<std::size_t>(q.cols()));
  constexpr Eigen::Index kPoints = 64;
  const Eigen::Index count = q.cols();
  ThreadPool(threads).forEach(static_cast<int>((count + kPoints - 1) / kPoints), [&](int task, int) {
    for (Eigen::Index i = task * kPoints; i < std::min(count, (task + 1) * kPoints); ++i)
      f[static_cast<std::size_t>(i)] = sumAt(body, q.col(i).eval());
  });
  return f;
}

}  // namespace

FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q, int threads) {
  return sumAtEach(elements, q, threads);
}

FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const Eigen::Matrix3Xcd& q, int threads) {
  return sumAtEach(elements, q, threads);
}

FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, int threads) {
  constexpr Eigen::Index kChunk = 128;
  const Centred body(elements);
  const int nx = grid.axes[0].count, ny = grid.axes[1].count, nz = grid.axes[2].count;
  const Eigen::Index count = static_cast<Eigen::Index>(elements.size());
  FormFactor f(grid.size(), Complex(0));
  ThreadPool pool(threads);
  std::vector<Eigen::MatrixXd> left(static_cast<std::size_t>(threads)), real(left.size()),
      imaginary(left.size());
  // Chunks of triangles outside, so that their tables are made once; planes side by side.
  for (Eigen::Index first = 0; first < count; first += 8 * kChunk) {
    std::vector<ElementChunk> chunks;
    for (Eigen::Index t = first; t < std::min(count, first + 8 * kChunk); t += kChunk)
      chunks.emplace_back(body.elements.data() + t, std::min(kChunk, count - t), grid);
    pool.forEach(nz, [&](int z, int w) {
      const std::size_t worker = static_cast<std::size_t>(w);
      real[worker].setZero(nx, ny);
      imaginary[worker].setZero(nx, ny);
      for (const ElementChunk& chunk : chunks) chunk.add(z, left[worker], real[worker], imaginary[worker]);
      for (int x = 0; x < nx; ++x) {
        for (int y = 0; y < ny; ++y)
          f[indexOf(grid, x, y, z)] += Complex(real[worker](x, y), imaginary[worker](x, y));
      }
    });
  }
  finish(body, grid, pool, f);
  return f;
}

namespace {

/// U and V of some elements for the waves of a row, as factors of the real and imaginary parts of exp(i
/// q_par.r) and of a times it: (real and imaginary part of each wave, those of all elements one after the
/// other).
void fillWaves(const SurfaceElement* elements, Eigen::Index count, const QRows& q, int row,
               Eigen::MatrixXd& out) {
  out.resize(2 * q.waves(), 4 * count);
  for (int wave = 0; wave < q.waves(); ++wave) {
    const Complex z = q.z(wave, row);
    for (Eigen::Index t = 0; t < count; ++t) {
      const SurfaceElement& e = elements[t];
      const Complex u = std::exp(Complex(0, e.centre(2)) * z), v = e.area * e.normal(2) * std::conj(z) * u;
      const auto set = [&](Eigen::Index column, double real, double imaginary) {
        out(2 * wave, column) = real;
        out(2 * wave + 1, column) = imaginary;
      };
      set(t, v.real(), v.imag());
      set(count + t, -v.imag(), v.real());
      set(2 * count + t, u.real(), u.imag());
      set(3 * count + t, -u.imag(), u.real());
    }
  }
}

}  // namespace

Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q, int threads) {
  constexpr Eigen::Index kChunk = 64;
  constexpr int kPixels = 64;
  const Centred body(elements);
  const FlatElements flat(body.elements);
  const std::vector<RowTile> tiles = tilesOf(q, kPixels);
  Eigen::MatrixXcd f(q.waves(), q.pixels());
  ThreadPool pool(threads);
  struct Room {
    Eigen::MatrixXd waves, phases, sums;
  };
  std::vector<Room> rooms(static_cast<std::size_t>(threads));
  pool.forEach(static_cast<int>(tiles.size()), [&](int i, int worker) {
    const RowTile& tile = tiles[static_cast<std::size_t>(i)];
    auto& [waves, phases, sums] = rooms[static_cast<std::size_t>(worker)];
    sums.setZero(2 * q.waves(), tile.count);
    for (Eigen::Index from = 0; from < flat.size(); from += kChunk) {
      const Eigen::Index count = std::min(kChunk, flat.size() - from);
      fillWaves(body.elements.data() + from, count, q, tile.row, waves);
      phases.resize(4 * count, tile.count);
      for (int pixel = 0; pixel < tile.count; ++pixel)
        flat.phases(static_cast<int>(from), static_cast<int>(count), q.along.col(tile.first + pixel).data(),
                    phases.col(pixel).data());
      addProduct(waves, phases, sums);
    }
    for (int pixel = tile.first; pixel < tile.first + tile.count; ++pixel) {
      for (int wave = 0; wave < q.waves(); ++wave) {
        const Eigen::Vector3cd at = q.momentum(wave, tile.row, pixel);
        const Complex sum(sums(2 * wave, pixel - tile.first), sums(2 * wave + 1, pixel - tile.first));
        f(wave, pixel) = std::exp(Complex(0, 1) * product(at, body.centre)) *
                         (sum - product(at.conjugate(), flat.area())) / Complex(0, at.squaredNorm());
      }
    }
  });
  sumLongWaves(elements, q, threads, f);
  return f;
}

void sumLongWaves(const std::vector<SurfaceElement>& elements, const QRows& q, int threads,
                  Eigen::MatrixXcd& f) {
  const Centred body(elements);
  struct Place {
    int wave, row, pixel;
  };
  std::vector<Place> places;
  for (const RowTile& row : tilesOf(q, std::max(1, q.pixels())))
    for (int pixel = row.first; pixel < row.first + row.count; ++pixel)
      for (int wave = 0; wave < q.waves(); ++wave)
        if (q.momentum(wave, row.row, pixel).norm() * body.radius < kLongWaveOfRows)
          places.push_back({wave, row.row, pixel});
  ThreadPool(threads).forEach(static_cast<int>(places.size()), [&](int i, int) {
    const Place& p = places[static_cast<std::size_t>(i)];
    f(p.wave, p.pixel) = sumAt(body, q.momentum(p.wave, p.row, p.pixel));
  });
}

FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                           int threads) {
  const Centred body(elements);
  const MeshSize modes{grid.axes[0].count, grid.axes[1].count, grid.axes[2].count};
  const Eigen::Index count = static_cast<Eigen::Index>(elements.size());
  // Mode k of an axis is q = middle + k step.
  Eigen::Vector3d middle, step;
  for (int d = 0; d < 3; ++d) {
    const QAxis& axis = grid.axes[d];
    step(d) = axis.step();
    middle(d) = axis.start + axis.count / 2 * axis.step();
  }
  Eigen::Matrix3Xd x(3, count);
  for (Eigen::Index t = 0; t < count; ++t) x.col(t) = body.elements[t].centre.cwiseProduct(step);
  Nufft transform(modes, tolerance, threads);
  transform.setPoints(x);
  FormFactor f(grid.size(), Complex(0)), part(grid.size());
  Eigen::VectorXcd strengths(count);
  ThreadPool pool(threads);
  for (int d = 0; d < 3; ++d) {
    for (Eigen::Index t = 0; t < count; ++t) {
      const SurfaceElement& e = body.elements[t];
      strengths(t) = e.area * e.normal(d) * std::polar(1.0, middle.dot(e.centre));
    }
    transform.transform(strengths, part.data());
    pool.forEach(modes[0], [&](int a, int) {
      for (int b = 0; b < modes[1]; ++b) {
        for (int c = 0; c < modes[2]; ++c) {
          const std::size_t at = indexOf(grid, a, b, c);
          f[at] += grid.point(a, b, c)(d) * part[at];
        }
      }
    });
  }
  finish(body, grid, pool, f);
  return f;
}

namespace {

class HostShapeEngine : public ShapeEngine {
 public:
  explicit HostShapeEngine(int threads) : threads_(threads) {}
  std::string name() const override {
    return fmt::format("CPU, {} {}", threads_, threads_ == 1 ? "thread" : "threads");
  }
  FormFactor sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, Precision) override {
    return prophet::sumOnGrid(elements, grid, threads_);
  }
  FormFactor sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q, Precision) override {
    return prophet::sumAtPoints(elements, q, threads_);
  }
  Eigen::MatrixXcd sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                             Precision) override {
    return prophet::sumOnRows(elements, q, threads_);
  }
  FormFactor transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid, double tolerance,
                             Precision) override {
    return prophet::transformOnGrid(elements, grid, tolerance, threads_);
  }

 private:
  int threads_;
};

}  // namespace

std::unique_ptr<ShapeEngine> hostShapeEngine(int threads) {
  return std::make_unique<HostShapeEngine>(threads);
}

}  // namespace prophet
