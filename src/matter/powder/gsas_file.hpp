#pragma once
#include <string>

#include "matter/powder/measured_pattern.hpp"

namespace prophet {

/// Whether a file has a line that begins with BANK, as those of GSAS have before their numbers.
bool isGsasFile(const std::string& path);

/// One bank of GSAS's formats STD, ESD, FXY and FXYE (A. C. Larson, R. B. Von Dreele, GSAS manual, LAUR
/// 86-748) with 2 theta in steps of hundredths of a degree (CONST), which are given in degrees; `from` and
/// `to` as in readMeasuredPattern. Throws Error with the line for times of flight, several banks and what is
/// not a number.
MeasuredPattern readGsasFile(const std::string& path, double from, double to);

}  // namespace prophet
