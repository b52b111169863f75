#include "core/common/plugin_library.hpp"

#include <gtest/gtest.h>

#include "test_paths.hpp"

namespace prophet {
namespace {

PluginEntry open(const std::string& name) {
  return openPlugin({"", PROPHET_BINARY_DIR "/tests/" + name, "", "openTestPlugin"});
}

TEST(PluginLibrary, OpensOneOfThisBuild) {
  const PluginEntry plugin = open("prophet_plugin_same.so");
  ASSERT_TRUE(plugin.function) << plugin.problem;
  EXPECT_EQ(reinterpret_cast<int (*)()>(plugin.function)(), 42);
}

TEST(PluginLibrary, IsFoundBesideTheProgram) {
  EXPECT_TRUE(openPlugin({"prophet_plugin_same.so", "", "", "openTestPlugin"}).function);
}

TEST(PluginLibrary, RefusesAnotherVersionAndNamesBoth) {
  const PluginEntry plugin = open("prophet_plugin_other.so");
  EXPECT_TRUE(plugin.found);
  EXPECT_FALSE(plugin.function);
  for (const std::string part : {"another build", "prophet_plugin_other.so is version 0.0.9,", kVersion,
                                 "install both from one build"})
    EXPECT_NE(plugin.problem.find(part), std::string::npos) << part << " in " << plugin.problem;
}

TEST(PluginLibrary, RefusesOneWithoutATagOrEntry) {
  for (const PluginEntry& plugin :
       {open("prophet_plugin_untagged.so"),
        openPlugin({"", PROPHET_BINARY_DIR "/tests/prophet_plugin_same.so", "", "openSomethingElse"})}) {
    EXPECT_FALSE(plugin.function);
    EXPECT_NE(plugin.problem.find("does not belong to this program"), std::string::npos) << plugin.problem;
  }
}

TEST(PluginLibrary, SaysWhereThereIsNone) {
  const PluginEntry plugin = open("nowhere.so");
  EXPECT_FALSE(plugin.found);
  EXPECT_EQ(plugin.problem, "");
}

}  // namespace
}  // namespace prophet
