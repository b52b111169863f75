#pragma once

namespace prophet {

/// Where to compute: --backend auto, cpu, cuda.
enum class BackendRequest { Automatic, Cpu, Cuda };

}  // namespace prophet
