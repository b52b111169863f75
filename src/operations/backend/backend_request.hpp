#pragma once
#include "core/common/names.hpp"

namespace prophet {

/// Where to compute: --backend auto, cpu, cuda.
enum class BackendRequest { Automatic, Cpu, Cuda };

template <>
inline const Names<BackendRequest>& namesOf() {
  static const Names<BackendRequest> kNames = {
      {"auto", BackendRequest::Automatic}, {"cpu", BackendRequest::Cpu}, {"cuda", BackendRequest::Cuda}};
  return kNames;
}

}  // namespace prophet
