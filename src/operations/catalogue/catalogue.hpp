#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation auditOperation();
Operation compareOperation();
Operation formfactorOperation();
Operation madelungOperation();
Operation tierOperation();
Operation validateOperation();

}  // namespace prophet
