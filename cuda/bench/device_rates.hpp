#pragma once
#include <string>

#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// What the device does at best, measured in this process.
struct DeviceRates {
  std::string name;
  double copyBytesPerSecond = 0;  ///< device-to-device copy, bytes read plus bytes written
  double readBytesPerSecond = 0;  ///< sum of a large array
  double fp64PerSecond = 0;       ///< operations of independent fused multiply-adds, two each
};

DeviceRates measureDeviceRates(const Stream& stream);

/// Median seconds of `repeats` runs of `work` (queued on `stream`), after one that is not counted.
template <class Work>
double medianSeconds(const Stream& stream, int repeats, const Work& work);

}  // namespace prophet::cuda

#include <algorithm>
#include <vector>

namespace prophet::cuda {

template <class Work>
double medianSeconds(const Stream& stream, int repeats, const Work& work) {
  work();
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    const Event begin, end;
    begin.record(stream.get());
    work();
    end.record(stream.get());
    seconds.push_back(end.secondsSince(begin));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace prophet::cuda
