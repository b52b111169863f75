#pragma once

/// Registers of numbers, in sources that are compiled for each instruction set (PROPHET_LEVEL,
/// CMakeLists.txt).
namespace prophet {

/// Numbers that a register holds.
#if defined(__AVX512F__)
constexpr int kLanes = 8;
#elif defined(__AVX__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double)), aligned(8), may_alias));

}  // namespace prophet
