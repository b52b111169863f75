#pragma once

namespace prophet {

/// Fock matrices that DIIS combines at most: the same on processors and GPUs, so that both iterate alike.
inline constexpr int kDiisDepth = 8;

}  // namespace prophet
