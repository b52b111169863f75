#pragma once
#include <string>

#include "operations/result_file/result_file.hpp"

namespace prophet {

/// The record of an input file's result, made now: the file's text is read again (empty where it is gone).
ResultRecord recordOf(const std::string& file, const std::string& title, const Calculation& calculation,
                      const Result& result);

}  // namespace prophet
