#include "operations/report/chain_report.hpp"

#include <fmt/format.h>

#include "operations/report/text_parts.hpp"

namespace prophet {

std::string reportChainJob(const std::string& version, const ResolvedJob& job) {
  const ChainRequest& chain = job.job.chain;
  const AtomProblem& problem = job.calculation.problem;
  std::string text =
      fmt::format("CUDAProphet {}: smallest basis set of an atom\n\n{}\n", version, job.job.title);
  text += textRule("Job");
  text += keyValue("input", job.job.file);
  text += keyValue("atom", atomName(problem));
  text += keyValue("nucleus", problem.nucleus.description());
  text += keyValue("configuration", problem.configuration.description);
  text += keyValue("speed of light", fmt::format("{:.8f}", problem.hamiltonian.speedOfLight));
  text += keyValue("method", chain.method == ChainMethod::Thesis
                                 ? fmt::format("functions dropped end by end, {} sizes at once", chain.probes)
                                 : "a ladder for each symmetry, in a frozen field");
  text += keyValue("threshold", fmt::format("{:.1e} of the numerical limit{}", chain.threshold,
                                            chain.limit ? "" : ", which is computed first"));
  for (const std::string& choice : job.choices) text += keyValue("chosen for you", choice);
  return text + "\n" + occupationTable(problem.configuration) + textRule("Chain");
}

}  // namespace prophet
