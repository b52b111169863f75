#include "report/chain_report.hpp"

#include <fmt/format.h>

#include "report/text_parts.hpp"

namespace prophet {

std::string reportChainJob(const std::string& version, const Calculation& c) {
  const ChainRequest& chain = c.job.chain;
  std::string text =
      fmt::format("CUDAProphet {}: smallest basis set of an atom\n\n{}\n", version, c.job.title);
  text += textRule("Job");
  text += keyValue("input", c.job.file);
  text += keyValue("atom", atomName(c));
  text += keyValue("nucleus", c.nucleus.description());
  text += keyValue("configuration", c.configuration.description);
  text += keyValue("speed of light", fmt::format("{:.8f}", c.job.speedOfLight));
  text += keyValue("method", chain.method == ChainMethod::Thesis
                                 ? fmt::format("functions dropped end by end, {} sizes at once", chain.probes)
                                 : "a ladder for each symmetry, in a frozen field");
  text += keyValue("threshold", fmt::format("{:.1e} of the numerical limit{}", chain.threshold,
                                            chain.limit ? "" : ", which is computed first"));
  for (const std::string& choice : c.choices) text += keyValue("chosen for you", choice);
  return text + "\n" + occupationTable(c.configuration) + textRule("Chain");
}

}  // namespace prophet
