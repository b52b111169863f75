#pragma once
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "run_program.hpp"

namespace prophet::test {

/// What a process that runs `work` writes to its terminal, of 80 columns; empty where the system gives none.
inline std::string onTerminal(const std::function<void()>& work) {
  int terminal = -1;
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 80;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) return "";
  if (child == 0) {
    work();
    ::_exit(0);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  ::close(terminal);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// The same of the program with these arguments (shell syntax) in the folder; its standard output goes to the
/// file `out` there, or to the terminal, too.
inline std::string onTerminal(const Scratch& s, const std::string& arguments,
                              const std::string& output = ">out") {
  const std::string command =
      "cd '" + s.path().string() + "' && exec '" PROPHET_PROGRAM "' " + arguments + " " + output;
  return onTerminal([&] {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  });
}

}  // namespace prophet::test
