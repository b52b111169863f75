// Files and reports are the same in every locale: others read them.
#include <gtest/gtest.h>

#include "atoms/calculation/compute.hpp"
#include "atoms/service/json_lines.hpp"
#include "bases/formats/basis_commands.hpp"
#include "bases/formats/exchange_formats.hpp"
#include "operations/audit/validate.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/record/json_report.hpp"
#include "operations/record/report.hpp"
#include "run_program.hpp"
#include "tests/core/common/decimal_comma.hpp"

namespace prophet {
namespace {

using test::ProgramRun;
using test::Scratch;

std::string reports() {
  ResolvedJob job =
      resolve(parseJob("X\n$contrl breit='breit' $end\n$nuc znuc=4 nucmdl='fermi' rms=2.5 $end\n"
                       "$bas bastype='wtbs' nsym=3 $end\n"
                       "$wtbs wtbspara=0.0625,2.25,1.5,0.5 nbs=12,2,2 $end\n",
                       "x.inp"));
  job.calculation.inBasis().estimateError = true;
  Result result = compute(job.calculation);
  result.timings.clear();
  return reportHeader("1", job) + reportJob(job) + reportBasis(job.calculation.inBasis().basis, true) +
         reportIteration({3, -1234.5, 0.125, 1e-3, 1e-4, 1e-5, 1e-6}) + reportResult(result) +
         jsonResult(job, result) + jsonLine("x", result);
}

std::string basisFiles() {
  std::string text = basisShow(10, "") + basisCompare("prophet-1", "wtbs-2.1");
  for (const std::string& format : basisFormatNames()) {
    const std::string file = basisExport({10}, "", format);
    text += file;
    if (format == kOwnFormat) continue;
    for (const ElementBasis& element : readBasis(file, format, "file")) text += writeBasis({element}, format);
  }
  return text;
}

std::string table() {
  ValidationRow row;
  row.z = 80;
  row.configuration = "[Hg]";
  row.speedOfLight = 137.5;
  row.functions = 1500;
  row.basisEnergy = -19648.125;
  row.limit = -19648.25;
  row.limitError = 1.5e-9;
  row.basisMinusLimit = 0.125;
  row.basisSeconds = 1234.5;
  const Record record = validationRecord({}, {row});
  return validationLine(row) + recordCsv(record) + recordJson(record).dump();
}

TEST(Locale, ReportsAndFilesDoNotDependOnIt) {
  const std::string classic = reports() + basisFiles() + table();
  const test::DecimalComma comma;
  EXPECT_EQ(reports() + basisFiles() + table(), classic);
}

/// Where the system can make a German locale.
TEST(Locale, TheProgramDoesNotDependOnItsEnvironment) {
  const Scratch s;
  const std::string folder = s.path().string();
  if (std::system(("localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8' >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "localedef makes no de_DE.UTF-8 here";
  s.write("x.inp", "Neon\n$nuc znuc=10 $end\n");
  const std::string german = "env LOCPATH='" + folder + "' LC_ALL=de_DE.UTF-8 '" PROPHET_PROGRAM "'";
  const ProgramRun usual = s.run("x.inp -q"), other = s.runAs(german, "x.inp -q --json x.json");
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_EQ(other.out, usual.out);
  EXPECT_EQ(s.runAs(german, "basis export Ne --format nwchem").out,
            s.run("basis export Ne --format nwchem").out);
  EXPECT_TRUE(test::contains(test::readFile(s.path() / "x.json"), "\"energy\": -128."));
}

}  // namespace
}  // namespace prophet
