#pragma once

/// Functions marked PROPHET_HD compile for the host and, under nvcc, for the device: the formulas are written
/// once and tested on machines without a GPU.
#ifdef __CUDACC__
#define PROPHET_HD __host__ __device__
#else
#define PROPHET_HD
#endif
