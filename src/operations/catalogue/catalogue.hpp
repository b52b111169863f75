#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation auditOperation();
std::vector<Operation> basisOperations();
Operation batchOperation();
Operation chainOperation();
Operation compareOperation();
Operation formfactorOperation();
Operation madelungOperation();
Operation pairsOperation();
Operation powderOperation();
Operation shapeOperation();
Operation structureOperation();
Operation tierOperation();
Operation validateOperation();

}  // namespace prophet
