/// An operation by the C++ interface: run_operation NAME SETTING=TEXT ... (several texts: a list) prints its
/// JSON; status 1: not all of it was computed, 2: an error, which is printed.
/// tests/frontends/python/test_every_operation.py compares.
#include <cstdio>
#include <cudaprophet/cudaprophet.hpp>

int main(int argc, char** argv) {
  try {
    std::map<std::string, std::vector<std::string>> words;
    for (int i = 2; i < argc; ++i) {
      const std::string word = argv[i];
      const std::size_t equals = word.find('=');
      words[word.substr(0, equals)].push_back(word.substr(equals + 1));
    }
    std::map<std::string, cudaprophet::Value> settings;
    for (const auto& [setting, texts] : words) {
      if (texts.size() == 1) {
        settings[setting] = texts.front();
      } else {
        settings[setting] = texts;
      }
    }
    cudaprophet::Place place;
    place.backend = "cpu";
    place.threads = 1;
    const cudaprophet::Record record = cudaprophet::run(argc > 1 ? argv[1] : "", settings, place);
    std::puts(record.json.c_str());
    return record.ok ? 0 : 1;
  } catch (const cudaprophet::Error& e) {
    std::fputs(e.what(), stderr);
    return 2;
  }
}
