#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation formfactorOperation();
Operation madelungOperation();

}  // namespace prophet
