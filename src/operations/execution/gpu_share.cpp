#include "operations/execution/gpu_share.hpp"

#include <numeric>

namespace prophet {
namespace {

std::vector<int> allDevices(const CudaBackend& cuda) {
  std::vector<int> list(static_cast<std::size_t>(cuda.visibleDevices()));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

GpuShare openGpuShare(const std::vector<int>& named, const RankPlace& place, const std::string& cudaLibrary) {
  GpuShare share;
  // The first GPU answers for the driver, the others for their number: any of them may be missing.
  share.devices = shareOfDevices(named, place);
  for (const int device : share.devices.empty() ? std::vector<int>{0} : share.devices) {
    CudaBackendOrReason cuda = openCudaBackend(device, cudaLibrary);
    share.reason = cuda.reason;
    if (!cuda.backend) {
      share.cuda.reset();
      return share;
    }
    if (!share.cuda) share.cuda = std::move(cuda.backend);
  }
  if (!share.devices.empty()) return share;
  try {
    share.devices = shareOfDevices(allDevices(*share.cuda), place);
  } catch (const std::exception& e) {
    share.reason = e.what();
    share.cuda.reset();
  }
  return share;
}

}  // namespace prophet
