/// The operation `box` by the C++ interface; prints what the test compares.
#include <cstdio>
#include <cudaprophet/cudaprophet.hpp>

int main() {
  try {
    const auto record =
        cudaprophet::run("box", {{"edge", 2.7}, {"layers", std::string("3")}, {"open_top", true}});
    std::puts(record.json.c_str());
    cudaprophet::run("box", {{"edge", -1.0}, {"layers", 11.0}});
    return 1;
  } catch (const cudaprophet::Error& e) {
    std::puts(e.what());
  }
  return 0;
}
