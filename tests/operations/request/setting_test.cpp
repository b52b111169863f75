#include <gtest/gtest.h>

#include "operations/request/request_table.hpp"

namespace prophet {
namespace {

struct Request {
  Eigen::Matrix3Xd points;
  std::string in, name, out;
  int sum = 0;
};

RequestTable<Request> table() {
  RequestTable<Request> t;
  t.add("points", &Request::points, "places").in("angstrom").from(-10, 10);
  t.add("in", &Request::in, "is read").called("FILE");
  t.add("name", &Request::name, "is read if it is there").called("NAME").isFile(FileUse::ReadIfThere);
  t.add("out", &Request::out, "is written").isFile(FileUse::Write);
  t.afterwards([](Request& r) { r.sum = static_cast<int>(r.points.sum()); });
  return t;
}

Eigen::Matrix3Xd pointsOf(const Json& value) {
  Json typed;
  return table().read({{"points", value}}, typed).points;
}

TEST(Setting, VectorsAreTextsOrLists) {
  Eigen::Matrix3Xd two(3, 2);
  two << 0, 1, 0, -2, 0.1, 3;
  EXPECT_EQ(pointsOf("0,0,0.1; 1, -2, 3"), two);
  EXPECT_EQ(pointsOf({{0, 0, 0.1}, {1, -2, 3}}), two);
  EXPECT_EQ(pointsOf({"0,0,0.1", "1,-2,3"}), two);
  EXPECT_EQ(pointsOf({1, -2, 3}), two.col(1));
}

TEST(Setting, WrongVectorsAreNamed) {
  for (const Json& wrong :
       {Json("0,0"), Json("0,0,0;"), Json("0,0,x"), Json("0,0,11"), Json::array(), Json(1), Json({{1, 2}}),
        Json({{1, 2, 3}, {1, 2}}), Json({1, 2}), Json(""), Json({{1, 2, "x"}})}) {
    try {
      pointsOf(wrong);
      ADD_FAILURE() << wrong;
    } catch (const RequestErrors& e) {
      ASSERT_EQ(e.problems().size(), 1u) << wrong;
      EXPECT_EQ(e.problems()[0].setting, "points") << wrong;
      EXPECT_NE(e.problems()[0].message.find("expected vectors X,Y,Z"), std::string::npos) << e.what();
    }
  }
}

TEST(Setting, ARangeIsNotADash) {
  Setting numbers;
  numbers.name = "q";
  numbers.type = ValueType::Numbers;
  EXPECT_EQ(typedValue(numbers, "0:2:1"), Json({0, 1, 2}));
  EXPECT_EQ(typedValue(numbers, "-2,1e-2"), Json({-2, 0.01}));
  for (const char* wrong : {"0-2", "0 - 2", "1,0-2"}) {
    try {
      typedValue(numbers, wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("a range is written 0:2:STEP, such as 0:2:0.1"), std::string::npos)
          << e.what();
    }
  }
}

TEST(Setting, ARangeHasBothOfItsEnds) {
  Setting numbers;
  numbers.name = "q";
  numbers.type = ValueType::Numbers;
  EXPECT_EQ(typedValue(numbers, "0:0.3:0.1"), Json({0.0, 0.1, 0.2, 0.3}));
  EXPECT_EQ(typedValue(numbers, "0:1:0.3333333333").back(), 0.9999999999);
  EXPECT_EQ(typedValue(numbers, "5:120:0.0001").size(), 1150001);
  for (const char* wrong : {"0:1:0.3", "0:1:1.5", "0:1:0.333333"}) {
    try {
      typedValue(numbers, wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("whose steps miss STOP"), std::string::npos) << e.what();
    }
  }
  try {
    typedValue(numbers, "0:1:0.3");
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "found '0:1:0.3', whose steps miss STOP; it may be 0.9 or 1.2");
  }
  EXPECT_EQ(typedValue(numbers, "0:0.9:0.3").size(), 4);
  EXPECT_EQ(typedValue(numbers, "0:1.2:0.3").size(), 5);
}

/// "none" is as if it were not there.
TEST(Setting, WhatIsSwitchedOffNeedsNothing) {
  Setting part, whole;
  part.name = "part", whole.name = "whole";
  part.type = whole.type = ValueType::Text;
  part.needs = {"whole"};
  const auto problems = [&](const Json& values) {
    std::vector<SettingProblem> all;
    typedValues({part, whole}, values, all);
    return all.size();
  };
  EXPECT_EQ(problems({{"part", "a"}, {"whole", "b"}}), 0u);
  EXPECT_EQ(problems({{"part", "a"}, {"whole", "none"}}), 1u);
  EXPECT_EQ(problems({{"part", "none"}}), 0u);
}

TEST(Setting, EveryCheckOfATableIsMade) {
  auto t = table();
  t.afterwards([](Request& r) {
    if (r.sum > 5) throw SettingError("points", "are too large");
  });
  Json typed;
  EXPECT_EQ(t.read({{"points", "1,2,2"}}, typed).sum, 5);
  EXPECT_THROW(t.read({{"points", "1,2,3"}}, typed), Error);
}

TEST(Setting, NamesMayStandForWhatMayLack) {
  struct WithSide {
    std::optional<bool> side;
  };
  RequestTable<WithSide> t;
  t.add("side", &WithSide::side, Names<bool>{{"left", false}, {"right", true}}, "which");
  Json typed;
  EXPECT_FALSE(t.read(Json::object(), typed).side);
  EXPECT_EQ(t.read({{"side", "Right"}}, typed).side, true);
  EXPECT_EQ(t.settings().front().choices, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(t.settings().front().defaultText, "");
}

TEST(Setting, AnyOfItsNamesIsFound) {
  Setting s;
  s.name = "bin_width";
  s.aliases = {"width"};
  EXPECT_EQ(s.names(), (std::vector<std::string>{"bin_width", "width"}));
  const std::vector<Setting> settings{s};
  EXPECT_EQ(settingNamed(settings, "Bin-Width"), &settings.front());
  EXPECT_EQ(settingNamed(settings, "width"), &settings.front());
  EXPECT_EQ(settingNamed(settings, "bin"), nullptr);
}

TEST(Setting, TellsWhatFilesAreFor) {
  const auto settings = table().settings();
  const auto useOf = [&](std::size_t i) { return fileUse(settings[i]); };
  EXPECT_EQ(useOf(0), FileUse::None);
  EXPECT_EQ(useOf(1), FileUse::Read);
  EXPECT_EQ(useOf(2), FileUse::ReadIfThere);
  EXPECT_EQ(useOf(3), FileUse::Write);
  EXPECT_EQ(settings[3].valueName, "FILE");
  EXPECT_FALSE(isOutput(settings[2]));
  EXPECT_TRUE(isOutput(settings[3]));
}

TEST(Setting, MoreMayFollowFromSeveral) {
  Json typed;
  EXPECT_EQ(table().read({{"points", "1,2,3;4,5,6"}}, typed).sum, 21);
}

TEST(Setting, ErrorsOfAStepNameTheSetting) {
  EXPECT_EQ(ofSetting("a", [] { return 3; }), 3);
  const auto problemOf = [](auto step) {
    try {
      ofSetting("a", step);
    } catch (const RequestErrors& e) {
      return e.problems()[0].setting + ": " + e.problems()[0].message;
    }
    return std::string();
  };
  EXPECT_EQ(problemOf([]() -> int { throw Error("is wrong"); }), "a: is wrong");
  EXPECT_EQ(problemOf([]() -> int { throw SettingError("b", "is wrong"); }), "b: is wrong");
}

}  // namespace
}  // namespace prophet
