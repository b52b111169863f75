#include "atoms/frozen/trial_gatherer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// What the fake device was asked; outlives it.
struct Record {
  std::mutex mutex;
  std::vector<std::size_t> sizes;
  std::set<int> dropped;
  int failAfter = 1 << 30;  ///< calls
  int wrongAt = 0;          ///< the call in which something else than the device fails
  bool mixedKinds = false;
};

/// "Measures" the sum of the exponents; more than 90 functions are not for it, nor exponents below 0.
class FakeDevice : public TrialDevice {
 public:
  explicit FakeDevice(Record& record) : record_(record) {}
  std::string name() const override { return "fake"; }
  int keep(const FieldTable& table) override {
    if (table.c < 0) throw Error("no room");
    return next_++;
  }
  void drop(int table) override {
    const std::lock_guard<std::mutex> lock(record_.mutex);
    record_.dropped.insert(table);
  }
  int kinds() const override { return 3; }
  int kindOf(int functions, bool) const override { return functions > 90 ? -1 : (functions - 1) / 30; }
  int workers() const override { return 2; }
  int mostTrials() const override { return 16; }
  std::vector<TrialOutcome> measure(int, const std::vector<Trial>& trials) override {
    {
      const std::lock_guard<std::mutex> lock(record_.mutex);
      record_.sizes.push_back(trials.size());
      if (static_cast<int>(record_.sizes.size()) == record_.wrongAt) throw std::runtime_error("no memory");
      if (static_cast<int>(record_.sizes.size()) > record_.failAfter) throw DeviceError("the device is lost");
    }
    // Meanwhile others gather.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::vector<TrialOutcome> outcomes;
    for (const Trial& trial : trials) {
      if (kindOf(static_cast<int>(trial.exponents.size()), false) !=
          kindOf(static_cast<int>(trials[0].exponents.size()), false))
        record_.mixedKinds = true;
      double sum = trial.table;
      for (const double zeta : trial.exponents) sum += zeta;
      outcomes.push_back({{sum, 2 * sum}, {}, {}, trial.exponents[0] >= 0});
    }
    return outcomes;
  }

 private:
  Record& record_;
  int next_ = 100;
};

/// What is not the device's fault costs a batch, not the device.
TEST(TrialGatherer, AnErrorOfTheHostCostsItsBatchOnly) {
  Record record;
  record.wrongAt = 2;
  TrialGatherer gatherer(std::make_unique<FakeDevice>(record));
  const int table = gatherer.keep({});
  EXPECT_TRUE(gatherer.measure(table, {1.0}));
  EXPECT_FALSE(gatherer.measure(table, {1.0}));
  EXPECT_TRUE(gatherer.measure(table, {1.0}));
  ASSERT_EQ(gatherer.notes().size(), 1u);
  EXPECT_EQ(gatherer.notes().front(), "fake could not compute 1 trials, and the CPU did: no memory");
}

TEST(TrialGatherer, EverySearchGetsItsOwnOutcome) {
  Record record;
  TrialGatherer gatherer(std::make_unique<FakeDevice>(record));
  EXPECT_EQ(gatherer.deviceName(), "fake");
  const int table = gatherer.keep({});
  EXPECT_EQ(table, 100);
  std::atomic<int> wrong{0};
  std::vector<std::thread> searches;
  for (int i = 0; i < 60; ++i) {
    searches.emplace_back([&, i] {
      for (int k = 1; k <= 20; ++k) {
        const auto outcome = gatherer.measure(table, std::vector<double>(static_cast<std::size_t>(1 + i), k));
        wrong += !outcome || outcome->rise != 100 + k * (1 + i) || outcome->prolapse != 2 * outcome->rise;
      }
    });
  }
  for (std::thread& search : searches) search.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(gatherer.tally().measured, 1200u);
  EXPECT_EQ(gatherer.tally().batches, record.sizes.size());
  EXPECT_LT(record.sizes.size(), 600u);  // gathered
  for (const std::size_t size : record.sizes) EXPECT_LE(size, 16u);
  EXPECT_FALSE(record.mixedKinds);
  EXPECT_TRUE(gatherer.notes().empty());
  gatherer.drop(table);
  gatherer.drop(-1);
  EXPECT_EQ(record.dropped, std::set<int>{100});
}

TEST(TrialGatherer, LeavesToTheHostWhatIsNotForTheDevice) {
  Record record;
  TrialGatherer gatherer(std::make_unique<FakeDevice>(record));
  EXPECT_FALSE(gatherer.measure(-1, {1.0}));
  EXPECT_FALSE(gatherer.measure(100, std::vector<double>(91, 1.0)));
  EXPECT_TRUE(record.sizes.empty());
  EXPECT_FALSE(gatherer.measure(100, {-1.0}));
  EXPECT_EQ(gatherer.tally().measured, 0u);
  EXPECT_EQ(gatherer.tally().left, 1u);
  FieldTable large;
  large.c = -1;
  EXPECT_EQ(gatherer.keep(large), -1);
  ASSERT_EQ(gatherer.notes().size(), 1u);
  EXPECT_NE(gatherer.notes()[0].find("could not take 1 of the fields"), std::string::npos)
      << gatherer.notes()[0];
}

TEST(TrialGatherer, ALostDeviceHoldsNobodyUp) {
  Record record;
  record.failAfter = 3;
  TrialGatherer gatherer(std::make_unique<FakeDevice>(record));
  std::atomic<int> measured{0}, left{0};
  std::vector<std::thread> searches;
  for (int i = 0; i < 40; ++i) {
    searches.emplace_back([&] {
      for (int k = 0; k < 10; ++k) ++(gatherer.measure(100, {1.0, 2.0}) ? measured : left);
    });
  }
  for (std::thread& search : searches) search.join();
  EXPECT_EQ(measured + left, 400);
  EXPECT_GT(measured, 0);
  EXPECT_GT(left, 300);
  EXPECT_EQ(gatherer.keep({}), -1);
  ASSERT_EQ(gatherer.notes().size(), 1u);
  EXPECT_NE(gatherer.notes()[0].find("the device is lost"), std::string::npos);
}

}  // namespace
}  // namespace prophet
