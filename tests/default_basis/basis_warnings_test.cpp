#include "default_basis/basis_warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "default_case.hpp"

namespace prophet {
namespace {

std::vector<std::string> idsOf(int z, const std::string& text) {
  const Nucleus nucleus = test::nucleusOf(z, NuclearModel::Gaussian);
  const Configuration configuration = parseConfiguration(text);
  const LibraryEntry entry = *readLibraryEntry(z);
  const auto result = test::computeIn(makeBasis(entry), nucleus, configuration);
  std::vector<std::string> ids;
  for (const BasisWarning& w : basisWarnings(&entry, nucleus, configuration, constants::kSpeedOfLight,
                                             result.scf, &result.estimate)) {
    EXPECT_FALSE(w.text.empty());
    ids.push_back(w.id);
  }
  return ids;
}

TEST(BasisWarnings, NoneForWhatASetWasMadeFor) { EXPECT_TRUE(idsOf(10, "[Ne]").empty()); }

TEST(BasisWarnings, TellOfASetOutsideItsPurpose) {
  const auto ids = idsOf(3, "1s2 2s2");  // Li-
  for (const char* id : {"basis_made_for_something_else", "basis_poor", "outermost_spinor_not_represented"})
    EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1) << id;
}

}  // namespace
}  // namespace prophet
