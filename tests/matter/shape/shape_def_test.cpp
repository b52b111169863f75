#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/common/error.hpp"
#include "core/hdf5/hdf5_group.hpp"
#include "matter/shape/bodies.hpp"
#include "matter/shape/form_factor_file.hpp"
#include "matter/shape/scene.hpp"
#include "matter/shape/triangle_mesh.hpp"
#include "tests/matter/structure/scratch_file.hpp"

namespace prophet {
namespace {

using prophet::test::ScratchFile;
using ::testing::HasSubstr;

/// Files as HipGISAXS writes and reads them: a dataset shape_def of N x 7 numbers, lengths in nanometres.
class ShapeDef : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hdf5::isAvailable()) GTEST_SKIP() << "built without HDF5";
  }

  static TriangleMesh tetrahedron() {
    return parseObj("v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  }

  static std::vector<double> rowsOf(const std::vector<SurfaceElement>& elements) {
    std::vector<double> rows;
    for (const SurfaceElement& e : elements)
      rows.insert(rows.end(),
                  {e.area, e.normal(0), e.normal(1), e.normal(2), e.centre(0), e.centre(1), e.centre(2)});
    return rows;
  }

  static std::string imageOf(const std::vector<double>& numbers, std::size_t rows,
                             const char* name = "shape_def") {
    hdf5::File file;
    file.root().write(name, numbers, "", rows);
    return file.image();
  }

  static std::string refusal(const std::string& image) {
    const ScratchFile file(".h5", image);
    try {
      readSurfaceElements(file.path());
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(ShapeDef, IsReadInNanometres) {
  const TriangleMesh mesh = tetrahedron();
  const std::vector<SurfaceElement> elements = surfaceElements(mesh);
  for (const char* ending : {".hd5", ".h5", ".hdf5"}) {
    const ScratchFile file(ending, imageOf(rowsOf(elements), elements.size()));
    const std::vector<SurfaceElement> read = bodyOfFile(file.path(), 10).elements;
    ASSERT_EQ(read.size(), elements.size());
    double volume = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
      EXPECT_DOUBLE_EQ(read[i].area, 100 * elements[i].area);
      EXPECT_LT((read[i].normal - elements[i].normal).norm(), 1e-15);
      EXPECT_LT((read[i].centre - 10 * elements[i].centre).norm(), 1e-12);
      volume += read[i].area * read[i].normal.dot(read[i].centre) / 3;
    }
    EXPECT_NEAR(volume, 1000 * mesh.volume(), 1e-9);
  }
}

/// HipGISAXS leaves a triangle whose corners lie on a line out, and its row at the end as it was.
TEST_F(ShapeDef, RowsWithoutAnAreaAreLeftOut) {
  const std::vector<SurfaceElement> elements = surfaceElements(tetrahedron());
  std::vector<double> rows = rowsOf(elements);
  rows.insert(rows.begin(), 7, 0.0);
  rows.insert(rows.end(), 14, 0.0);
  const ScratchFile file(".h5", imageOf(rows, elements.size() + 3));
  EXPECT_EQ(readSurfaceElements(file.path()).size(), elements.size());
}

TEST_F(ShapeDef, OtherLayoutsAndDamagedFilesAreRefused) {
  const std::vector<SurfaceElement> elements = surfaceElements(tetrahedron());
  const std::vector<double> rows = rowsOf(elements);
  EXPECT_EQ(refusal(imageOf(rows, 4)), "");
  EXPECT_EQ(refusal(imageOf(rows, 4, "faces")), "");               // the only dataset
  EXPECT_THAT(refusal(imageOf(rows, 7)), HasSubstr("7 columns"));  // the transposed matrix
  EXPECT_THAT(refusal(imageOf(std::vector<double>(rows.begin(), rows.begin() + 6), 0)),
              HasSubstr("7 columns"));
  EXPECT_THAT(refusal(imageOf(std::vector<double>(14, 0.0), 2)), HasSubstr("no triangle has an area"));
  EXPECT_THAT(refusal(imageOf(std::vector<double>(rows.begin(), rows.begin() + 21), 3)),
              HasSubstr("not closed"));
  for (const std::size_t place : {0, 1, 6}) {
    std::vector<double> wrong = rows;
    wrong[7 + place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusal(imageOf(wrong, 4)), HasSubstr("triangle 1 needs an area")) << place;
  }
  const std::string image = imageOf(rows, 4);
  EXPECT_THAT(refusal(image.substr(0, image.size() / 4)), HasSubstr("is not an HDF5 file"));
  EXPECT_THAT(refusal("solid part"), HasSubstr("is not an HDF5 file"));
  EXPECT_THAT(refusal(hdf5::File().image()), HasSubstr("there is no dataset shape_def"));
}

}  // namespace
}  // namespace prophet
