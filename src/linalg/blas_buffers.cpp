/// The serial OpenBLAS hands out its work buffers without a lock, so that two threads that multiply matrices
/// at the same time may get the same one (seen: wrong energies in one of some thousand calculations on two
/// threads). The linker sends its requests here (--wrap, see cmake/dependencies.cmake): every thread keeps
/// its own buffers, and taking a new one is locked.
#include <mutex>
#include <vector>

// The linker's --wrap prescribes these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);
void* __wrap_blas_memory_alloc(int position);
void __wrap_blas_memory_free(void* buffer);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

std::mutex& bufferMutex() {
  static std::mutex mutex;
  return mutex;
}

/// Buffers of one thread that are not in use; they go back when the thread ends.
struct IdleBuffers {
  std::vector<void*> buffers;
  IdleBuffers() { bufferMutex(); }
  ~IdleBuffers() {
    const std::lock_guard<std::mutex> lock(bufferMutex());
    for (void* buffer : buffers) __real_blas_memory_free(buffer);
  }
};

thread_local IdleBuffers idle;

}  // namespace

void* __wrap_blas_memory_alloc(int position) {
  if (idle.buffers.empty()) {
    const std::lock_guard<std::mutex> lock(bufferMutex());
    return __real_blas_memory_alloc(position);
  }
  void* buffer = idle.buffers.back();
  idle.buffers.pop_back();
  return buffer;
}

void __wrap_blas_memory_free(void* buffer) { idle.buffers.push_back(buffer); }
