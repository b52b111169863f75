#include "matter/scattering/usual_ions.hpp"

#include <sstream>

namespace prophet {
namespace {

constexpr const char* kIons =
    "H1- Li1+ Be2+ O1- O2- F1- Na1+ Mg2+ Al3+ Si4+ Cl1- K1+ Ca2+ Sc3+ Ti2+ Ti3+ Ti4+ V2+ V3+ V5+ Cr2+ Cr3+ "
    "Mn2+ Mn3+ Mn4+ Fe2+ Fe3+ Co2+ Co3+ Ni2+ Ni3+ Cu1+ Cu2+ Zn2+ Ga3+ Ge4+ Br1- Rb1+ Sr2+ Y3+ Zr4+ Nb3+ "
    "Nb5+ Mo3+ Mo5+ Mo6+ Ru3+ Ru4+ Rh3+ Rh4+ Pd2+ Pd4+ Ag1+ Ag2+ Cd2+ In3+ Sn2+ Sn4+ Sb3+ Sb5+ I1- Cs1+ "
    "Ba2+ La3+ Ce3+ Ce4+ Pr3+ Pr4+ Nd3+ Pm3+ Sm3+ Eu2+ Eu3+ Gd3+ Tb3+ Dy3+ Ho3+ Er3+ Tm3+ Yb2+ Yb3+ Lu3+ "
    "Hf4+ Ta5+ W6+ Os4+ Ir3+ Ir4+ Pt2+ Pt4+ Au1+ Au3+ Hg1+ Hg2+ Tl1+ Tl3+ Pb2+ Pb4+ Bi3+ Bi5+ Ra2+ Ac3+ "
    "Th4+ U3+ U4+ U6+ Np3+ Np4+ Np6+ Pu3+ Pu4+ Pu6+";

}  // namespace

std::vector<Species> usualIons() {
  std::vector<Species> list;
  std::istringstream words(kIons);
  for (std::string word; words >> word;) list.push_back(parseSpecies(word));
  return list;
}

}  // namespace prophet
