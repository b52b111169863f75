#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "test_paths.hpp"

namespace prophet::test {

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct ProgramRun {
  int status = -1;
  std::string out, err;
};

/// For mpirun: containers run tests as root, on fewer processors than ranks.
inline void allowRanksInContainers() {
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
}

/// A folder of its own for one test, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prophet-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

  /// The same, killed (SIGKILL) after so many milliseconds; true where the kill came before its end.
  bool runAndKill(const std::string& arguments, int milliseconds) const {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%d.%03d", milliseconds / 1000, milliseconds % 1000);
    const std::string command = "cd '" + path_.string() + "' && timeout --foreground -s KILL " + seconds +
                                " '" PROPHET_PROGRAM "' " + arguments + " >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    // In the foreground timeout lives until the program is gone, with its locks; else it kills itself too.
    return WIFSIGNALED(status) || WEXITSTATUS(status) == 137;
  }

  /// Runs the program with these arguments (shell syntax) in the folder.
  ProgramRun run(const std::string& arguments) const { return runAs("'" PROPHET_PROGRAM "'", arguments); }
  /// The same with another command in front of the arguments.
  ProgramRun runAs(const std::string& program, const std::string& arguments) const {
    const std::string out = (path_ / "stdout").string(), err = (path_ / "stderr").string();
    const std::string command =
        "cd '" + path_.string() + "' && " + program + " " + arguments + " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readFile(out), readFile(err)};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace prophet::test
