#pragma once
#include <Eigen/Core>
#include <limits>
#include <string>

namespace prophet {

/// A measured pattern. Intensities have any unit.
struct MeasuredPattern {
  Eigen::VectorXd x;          ///< q in 1/angstrom or 2 theta in degrees, ascending
  Eigen::VectorXd intensity;  ///< 0 or more
  Eigen::VectorXd sigma;      ///< standard deviations, above 0; empty where the file has none
  std::string heading{};      ///< "2theta": the name of x, if the file has names of its columns
  std::string place{};        ///< "FILE:LINE" of that
};

/// Reads a pattern: two columns, x and intensity, or a third one with standard deviations, separated by
/// blanks, commas or semicolons. Lines before the first row of numbers are a heading, and those that begin
/// with '#' or '!' are comments. Rows outside `from` to `to` are left out. Throws Error, with file and line,
/// for names of the columns in another order or of q in 1/nm, another number of columns, a field that is not
/// a number, x that does not ascend, a negative intensity, or a standard deviation that is not above 0; and
/// where fewer than two rows remain.
MeasuredPattern readMeasuredPattern(const std::string& path,
                                    double from = -std::numeric_limits<double>::infinity(),
                                    double to = std::numeric_limits<double>::infinity());

/// Throws Error where the heading says that x is the other one of q and 2 theta.
void requireAxis(const MeasuredPattern& pattern, bool isQ);

/// Standard deviations of counts: square roots of the intensities, and of the smallest one above 0 where
/// nothing was counted. Throws Error where all intensities are 0.
Eigen::VectorXd sigmaOfCounts(const Eigen::VectorXd& intensity);

}  // namespace prophet
