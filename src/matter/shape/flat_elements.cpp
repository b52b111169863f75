#include "matter/shape/flat_elements.hpp"

#include "core/common/constants.hpp"
#include "core/common/processor_clones.hpp"
#include "matter/shape/quarter_turns.hpp"

// Compiled with -O3 -ffp-contract=fast -fno-trapping-math (CMakeLists.txt), so that many phases are taken at
// a time.
namespace prophet {

PROPHET_CLONES
static void phasesOf(const double* __restrict x, const double* __restrict y, const double* __restrict nx,
                     const double* __restrict ny, int count, double qx, double qy, double* __restrict out) {
  for (int t = 0; t < count; ++t) {
    double c, s;
    turn(qx * x[t] + qy * y[t], c, s);
    const double a = qx * nx[t] + qy * ny[t];
    out[t] = c;
    out[count + t] = s;
    out[2 * count + t] = a * c;
    out[3 * count + t] = a * s;
  }
}

FlatElements::FlatElements(const std::vector<SurfaceElement>& elements) {
  constexpr double kQuarters = 2 / constants::kPi;
  for (const SurfaceElement& e : elements) {
    x_.push_back(kQuarters * e.centre(0));
    y_.push_back(kQuarters * e.centre(1));
    nx_.push_back(e.area * e.normal(0));
    ny_.push_back(e.area * e.normal(1));
    area_ += e.area * e.normal;
  }
}

void FlatElements::phases(int first, int count, const double* q, double* out) const {
  phasesOf(x_.data() + first, y_.data() + first, nx_.data() + first, ny_.data() + first, count, q[0], q[1],
           out);
}

}  // namespace prophet
