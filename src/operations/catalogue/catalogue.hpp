#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation auditOperation();
std::vector<Operation> basisOperations();
Operation batchOperation();
Operation bsoptOperation();
Operation chainOperation();
Operation compareOperation();
Operation correlationOperation();
Operation energyOperation();
Operation formfactorOperation();
Operation levelsOperation();
Operation limitOperation();
Operation linesOperation();
Operation madelungOperation();
Operation meanFieldOperation();
Operation pairsOperation();
Operation powderOperation();
Operation sapOperation();
Operation shapeOperation();
Operation slaterOperation();
Operation structureOperation();
Operation tablesOperation();
Operation tierOperation();
Operation validateOperation();

/// A row for each; those of basis sets are several in one file.
inline constexpr Operation (*kOperations[])() = {
    auditOperation,       batchOperation,    bsoptOperation,      chainOperation,     compareOperation,
    correlationOperation, energyOperation,   formfactorOperation, levelsOperation,    limitOperation,
    linesOperation,       madelungOperation, meanFieldOperation,  pairsOperation,     powderOperation,
    sapOperation,         shapeOperation,    slaterOperation,     structureOperation, tablesOperation,
    tierOperation,        validateOperation};

}  // namespace prophet
