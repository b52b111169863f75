#pragma once
#include <random>

#include "matter/shape/surface_sum.hpp"

namespace prophet {

/// Rows of up to `longest` pixels with |qx|, |qy|, |Re qz| below 1/angstrom and |Im qz| up to `decay`; the
/// middle pixel of the first row with its first wave has a q that is small.
inline QRows randomRows(int seed, int rows, int longest, int waves, double decay) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> uniform(-1, 1);
  QRows q;
  for (int row = 0, pixels = 0; row <= rows; ++row) {
    q.first.push_back(pixels);
    pixels += 1 + static_cast<int>(random() % static_cast<unsigned>(longest));
  }
  q.along.resize(2, q.first.back());
  q.z.resize(waves, rows);
  for (double& x : q.along.reshaped()) x = uniform(random);
  for (std::complex<double>& z : q.z.reshaped()) z = {uniform(random), decay * uniform(random)};
  q.along.col(q.first[1] / 2) = 1e-4 * Eigen::Vector2d(uniform(random), uniform(random));
  q.z(0, 0) *= 1e-4;
  return q;
}

/// Each pixel and wave by itself.
inline Eigen::MatrixXcd pointByPoint(const std::vector<SurfaceElement>& elements, const QRows& q) {
  Eigen::MatrixXcd f(q.waves(), q.pixels());
  for (const RowTile& row : tilesOf(q, q.pixels()))
    for (int pixel = row.first; pixel < row.first + row.count; ++pixel)
      for (int wave = 0; wave < q.waves(); ++wave)
        f(wave, pixel) = sumAtPoints(elements, Eigen::Matrix3Xcd(q.momentum(wave, row.row, pixel))).front();
  return f;
}

}  // namespace prophet
