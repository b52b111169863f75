#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation auditOperation();
std::vector<Operation> basisOperations();
Operation bsoptOperation();
Operation compareOperation();
Operation energyOperation();
Operation formfactorOperation();
Operation limitOperation();
Operation madelungOperation();
Operation pairsOperation();
Operation powderOperation();
Operation shapeOperation();
Operation structureOperation();
Operation tierOperation();
Operation validateOperation();

}  // namespace prophet
