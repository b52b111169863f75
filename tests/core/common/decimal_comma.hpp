#pragma once
#include <clocale>
#include <locale>
#include <string>

namespace prophet::test {

/// Writes 1.5 as "1,5" and 1000 as "1.000".
class GermanNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A locale with decimal commas for C++ streams, and for C functions where the system has one.
class DecimalComma {
 public:
  DecimalComma() : old_(std::locale::global(std::locale(std::locale::classic(), new GermanNumbers))) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"})
      if (std::setlocale(LC_ALL, name)) break;
  }
  ~DecimalComma() {
    std::locale::global(old_);
    std::setlocale(LC_ALL, "C");
  }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

 private:
  std::locale old_;
};

}  // namespace prophet::test
