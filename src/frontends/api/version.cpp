#include "cudaprophet/version.hpp"

namespace cudaprophet {

const char* version() { return CUDAPROPHET_VERSION; }

}  // namespace cudaprophet
