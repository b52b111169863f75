#include <gtest/gtest.h>

#include <random>

#include "core/common/error.hpp"
#include "operations/result_file/layout.hpp"
#include "operations/result_file/result_file.hpp"
#include "scratch_file.hpp"

namespace prophet {
namespace {

using test::recordOf;
using test::ScratchFile;

class DamagedFile : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    writeResult(file().path, recordOf("$nuc z=2 $end"));
    good() = file().bytes();
    energy() = readResult(file().path).energy.total;
  }
  static ScratchFile& file() {
    static ScratchFile one;
    return one;
  }
  static std::string& good() {
    static std::string bytes;
    return bytes;
  }
  static double& energy() {
    static double value;
    return value;
  }
  /// Whether the bytes are refused; what is read instead must be what was written.
  static bool refused(const std::string& bytes) {
    file().write(bytes);
    try {
      const ResultRecord record = readRecord(file().path);
      EXPECT_EQ(record.result.energy.total, energy());
      EXPECT_EQ(record.title, "Test \xC3\xA4");
      return false;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(file().path), std::string::npos) << e.what();
      return true;
    }
  }
};

TEST_F(DamagedFile, IsRefusedWhereverItIsCutOff) {
  std::mt19937 random(20261121);
  std::uniform_int_distribution<std::size_t> place(0, good().size() - 1);
  for (std::size_t length = 0; length < 600; length += 7) EXPECT_TRUE(refused(good().substr(0, length)));
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(refused(good().substr(0, place(random))));
  EXPECT_TRUE(refused(good().substr(0, good().size() - 1)));
  EXPECT_TRUE(refused(good() + "more"));
  EXPECT_FALSE(refused(good()));
}

TEST_F(DamagedFile, IsRefusedOrReadAsItWasWhateverByteIsFlipped) {
  std::mt19937 random(20261122);
  std::uniform_int_distribution<std::size_t> place(512, good().size() - 1);
  std::uniform_int_distribution<int> bit(0, 7);
  for (int i = 0; i < 1500; ++i) {
    std::string bytes = good();
    const std::size_t at = i < 512 ? static_cast<std::size_t>(i) : place(random);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit(random)));
    const bool is = refused(bytes);
    if (at >= 512) {
      EXPECT_TRUE(is) << at;
    }
  }
}

/// A file whose checksum is right although its content was changed: by a program, say, that knows of it.
TEST_F(DamagedFile, IsRefusedWherePartsAreMissing) {
  file().write(good());
  const auto lock = hdf5::lock();
  const std::string hdf5 = unwrapped(good(), file().path);
  for (const char* part : {"nucleus", "configuration", "hamiltonian", "basis", "basis/exponents", "scf",
                           "energy", "energy/part_values", "spinors", "spinors/energy", "spinors/kappa",
                           "warnings", "provenance", "coefficients/large", "coefficients/small/s+"}) {
    const hdf5::File changed(hdf5);
    hdf5::Group root = changed.root();
    root.remove(part);
    EXPECT_TRUE(refused(wrapped(changed.image()))) << part;
  }
}

TEST_F(DamagedFile, IsRefusedWhereListsDoNotFitTogether) {
  const auto lock = hdf5::lock();
  const std::string hdf5 = unwrapped(good(), file().path);
  for (const char* part : {"energy/part_values", "spinors/energy", "spinors/occupation", "basis/exponents/s+",
                           "configuration/electrons"}) {
    const hdf5::File changed(hdf5);
    hdf5::Group root = changed.root();
    std::vector<double> values = root.numbers(part);
    ASSERT_FALSE(values.empty()) << part;
    values.push_back(1);
    root.remove(part);
    root.write(part, values);
    EXPECT_TRUE(refused(wrapped(changed.image()))) << part;
  }
}

}  // namespace
}  // namespace prophet
