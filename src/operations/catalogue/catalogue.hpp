#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation madelungOperation();
Operation shapeOperation();
Operation structureOperation();

}  // namespace prophet
