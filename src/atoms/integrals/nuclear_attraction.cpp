#include "atoms/integrals/nuclear_attraction.hpp"

#include "atoms/integrals/sphere_cloud.hpp"
#include "core/common/error.hpp"

namespace prophet {

double nuclearAttraction(const Nucleus& nucleus, int n, double p) {
  switch (nucleus.model) {
    case NuclearModel::Point:
      return radial::moment(n - 1, p);
    case NuclearModel::Gaussian:
      return radial::gaussianCloud(n / 2 - 1, p, nucleus.exponent);
    case NuclearModel::Sphere:
      return radial::sphereCloud(n / 2 - 1, p, nucleus.sphereRadius);
    case NuclearModel::Fermi:
      break;
  }
  throw Error("the attraction of a Fermi nucleus has no closed form");  // callers use quadrature
}

}  // namespace prophet
