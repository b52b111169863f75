// Figures of other programs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "with_spinors.hpp"

namespace prophet {
namespace {

// <r> in bohr, printed to three places (cut off or rounded): DBSR_HF, example Rb (repository compas/dbsr_hf,
// examples/Rb.log; Zatsarinny & Froese Fischer, Comput. Phys. Commun. 202, 287 (2016)).
TEST(PublishedMoments, RubidiumOfDbsrHf) {
  const std::map<std::string, double> table = {
      {"1s1/2", 0.040}, {"2s1/2", 0.177}, {"2p1/2", 0.152}, {"2p3/2", 0.156}, {"3s1/2", 0.507},
      {"3p1/2", 0.509}, {"3p3/2", 0.519}, {"3d3/2", 0.521}, {"3d5/2", 0.524}, {"4s1/2", 1.472},
      {"4p1/2", 1.703}, {"4p3/2", 1.739}, {"5s1/2", 5.545}};
  const test::Computed rb = test::computed("$nuc znuc=37 $end");
  ASSERT_EQ(rb.result.spinors.size(), table.size());
  for (const auto& [label, value] : table)
    EXPECT_NEAR(*rb.properties.moments[test::indexOf(rb.result, label)].of(1), value, 1e-3) << label;
}

// P+ 3s2 3p 4f of GRASP (repository compas/grasp, src/appl/coupling/Sample_Output/SR.sum), all its twelve
// levels weighted equally; an average of configuration weights them by their number of states, which core
// spinors hardly notice.
TEST(PublishedMoments, CoreOfAPhosphorusIonOfGrasp) {
  const test::Computed p =
      test::computed("$nuc znuc=15 nucmdl='fermi' $end $electrons config='1s2 2s2 2p6 3s2 3p1 4f1' $end");
  const std::map<std::string, std::map<int, double>> table = {
      {"1s1/2", {{-1, 14.6599}, {1, 0.103396}, {2, 0.0143882}, {4, 0.000537445}}},
      {"2s1/2", {{-1, 2.85465}, {1, 0.512742}, {2, 0.312350}, {4, 0.175740}}},
      {"2p1/2", {{-1, 2.72411}, {1, 0.480963}, {2, 0.289004}, {4, 0.179531}}},
      {"2p3/2", {{-3, 62.4011}, {-1, 2.70852}, {1, 0.483060}, {2, 0.291378}, {4, 0.182289}}}};
  for (const auto& [label, moments] : table) {
    for (const auto& [k, value] : moments)
      EXPECT_NEAR(p.properties.moments[test::indexOf(p.result, label)].of(k).value() / value, 1, 2e-4)
          << label << " r^" << k;
  }
}

}  // namespace
}  // namespace prophet
