#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation madelungOperation();
Operation pairsOperation();
Operation powderOperation();
Operation shapeOperation();
Operation structureOperation();

}  // namespace prophet
