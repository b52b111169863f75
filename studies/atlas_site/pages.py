"""HTML pages, summary files and style of the atlas. Everything is relative: the folder can be opened from a disk."""
import csv
import json
import math
import re
import shutil
from html import escape
from pathlib import Path

from . import charts, levels
from .elements import NAMES, SYMBOLS, block, place

HERE = Path(__file__).resolve().parent
PART_NAMES = {"breit": "Breit interaction", "gaunt": "Gaunt interaction", "breit_gauge": "gauge part of the Breit interaction",
              "vacuum_polarisation": "vacuum polarisation (Uehling)", "kallen_sabry": "vacuum polarisation (Källén–Sabry)",
              "wichmann_kroll": "vacuum polarisation (Wichmann–Kroll)", "self_energy": "self-energy"}
FORMAT_NAMES = {"json": "Basis Set Exchange JSON", "nwchem": "NWChem", "dirac": "DIRAC", "gaussian": "Gaussian", "prophet": "CUDAProphet"}
LETTERS = "spdfgh"
HARTREE_EV = 27.211386245988  # CODATA 2018
RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def page(title, body, version):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"></head>\n'
            f'<body><a class="skip" href="#content">To the content</a>\n{body}\n'
            f"<footer><p>Computed by CUDAProphet {escape(version)}: Dirac–Hartree–Fock, averages of configurations, Gaussian nuclei; "
            'energies in hartree (1 hartree = 27.211386 eV), lengths in bohr.</p></footer></body></html>\n')


def rows(head, body):
    cells = lambda tag, row: "".join(f"<{tag}>{cell}</{tag}>" for cell in row)  # noqa: E731
    return ('<div class="wide"><table><thead><tr>' + cells("th", head) + "</tr></thead><tbody>" +
            "".join(f"<tr>{cells('td', row)}</tr>" for row in body) + "</tbody></table></div>")


def link(z, results):
    return f'<a href="{SYMBOLS[z - 1]}.html">{NAMES[z - 1]}</a>' if z in results else "<span></span>"


def ion_name(symbol, charge):
    return symbol + (f"{abs(charge) if abs(charge) > 1 else ''}{'+' if charge > 0 else '-'}".translate(RAISED) if charge else "")


def scientific(value):
    return f"{value:.2e}".replace("-", "−")


def energies(r):
    basis, limit = r["basis"], r["limit"]
    body = [["numerical limit", f"{limit['energy']:.10f}", f"± {scientific(limit['estimated_error'])}"],
            [escape(basis["basis"]["description"]), f"{basis['energy']:.10f}",
             f"{scientific(basis['energy'] - limit['energy'])} above the limit"]]
    for key, name in PART_NAMES.items():
        if key in basis["energy_parts"]:
            body.append([name + ", first order", f"{basis['energy_parts'][key]:.10f}", ""])
    body.append(["with all corrections", f"{basis['total_with_corrections']:.10f}", ""])
    return rows(["energy", "[hartree]", ""], body)


def difference_text(ion, sign):
    if ion is None:
        return "–"
    if ion["status"] != "converged":
        return f"{escape(ion['configuration'])}: {escape(ion['status'])}"
    return f"{sign * ion['difference_ev']:.4f} eV ({escape(ion['configuration'])})"


def spinors(r):
    at_limit = {s["label"]: s for s in r["limit"]["orbitals"]}
    body = []
    for s in sorted(r["basis"]["orbitals"], key=lambda s: s["energy"]):
        other = at_limit[s["label"]]
        body.append([s["label"], f"{s['occupation']:.4g}", f"{s['energy']:.8f}", f"{other['energy']:.8f}",
                     f"{other['mean_radius']:.6f}", f"{math.sqrt(other['mean_square_radius']):.6f}"])
    return rows(["spinor", "electrons", "ε, basis set [hartree]", "ε, limit [hartree]", "⟨r⟩ [bohr]", "⟨r²⟩<sup>½</sup> [bohr]"], body)


def spinor_levels(r):
    """Energies of the spinors at the limit, a column for each symmetry."""
    columns = {}
    for s in r["limit"]["orbitals"]:
        if s["energy"] < 0:
            name = f"{LETTERS[s['l']]}{s['two_j']}⁄2"
            columns.setdefault((s["l"], s["two_j"], name), []).append((-s["energy"], f"{s['n']}{LETTERS[s['l']]}", 0))
    return charts.level_chart(f"Energies of the spinors of {r['name']}", "", "−ε [hartree]",
                              [(name, lines) for (_, _, name), lines in sorted(columns.items())], y_log=True, turned=True)


def shells(r):
    """Radial density of each shell n, electrons/bohr, and its electrons."""
    radial, sums, electrons = r["radial"], {}, {}
    for s in r["basis"]["orbitals"]:
        p, q = radial["P_" + s["label"]], radial["Q_" + s["label"]]
        total = sums.setdefault(s["n"], [0.0] * len(p))
        electrons[s["n"]] = electrons.get(s["n"], 0.0) + s["occupation"]
        for i, (a, b) in enumerate(zip(p, q)):
            total[i] += s["occupation"] * (a * a + b * b)
    return {n: (sums[n], electrons[n]) for n in sorted(sums)}


def density_chart(r):
    radii, parts = r["radial"]["r"], shells(r)
    total = [sum(values) for values in zip(*(values for values, _ in parts.values()))]
    seen = [x for x, y in zip(radii, total) if y > 1e-3 * max(total) or y > 1e-2]
    curves = [(f"n = {n}, {electrons:.4g} electron{'' if electrons == 1 else 's'}", radii, values, n - 1, 0)
              for n, (values, electrons) in parts.items()]
    curves.append(("all shells", radii, total, charts.TOTAL, 0))
    return charts.line_chart(f"Radial density of {r['name']}", "r [bohr]", "4πr²ρ(r) [bohr⁻¹]", curves,
                             (seen[0], seen[-1]), (0, 1.05 * max(total)), x_log=True)


def outer_chart(r):
    """Large and small component of the two highest spinors; the small one is drawn 10 to 1000 times too large."""
    radii = r["radial"]["r"]
    highest = sorted(r["basis"]["orbitals"], key=lambda s: s["energy"])[-2:]
    curves = []
    for i, s in enumerate(highest):
        p, q = r["radial"]["P_" + s["label"]], r["radial"]["Q_" + s["label"]]
        factor = 10 ** math.floor(math.log10(max(map(abs, p)) / max(map(abs, q))))
        curves.append((f"P of {s['label']}", radii, p, i, 0))
        curves.append((f"{factor} Q of {s['label']}", radii, [factor * y for y in q], i, 1))
    seen = [x for x, *ys in zip(radii, *(c[2] for c in curves)) if max(map(abs, ys)) > 5e-3]
    low = min(min(c[2]) for c in curves)
    high = max(max(c[2]) for c in curves)
    return charts.line_chart(f"Outermost spinors of {r['name']}", "r [bohr]", "P(r), Q(r) [bohr⁻¹ᐟ²]", curves, (seen[0], seen[-1]),
                             (low - 0.05 * (high - low), high + 0.05 * (high - low)), x_log=True)


def fitted(fit, q):
    s = q / (4 * math.pi)
    return fit.get("c", 0.0) + sum(a * math.exp(-b * s * s) for a, b in zip(fit["a"], fit["b"]))


def form_factor(r):
    q, species = r["form_factor"]["q"], r["form_factor"]["species"][0]
    fit = species["fit"]
    curves = [("f(q)", q, species["f"], 0, 0), ("fit", q, [fitted(fit, x) for x in q], 1, 1)]
    chart = charts.line_chart(f"X-ray form factor of {r['name']}", "q = 4π sin θ/λ [Å⁻¹]", "f(q) [electrons]", curves,
                              y_range=(0, 1.05 * max(species["f"])))
    count = len(fit["a"])
    table = rows([""] + [str(i + 1) for i in range(count)],
                 [["a"] + [f"{a:.6f}" for a in fit["a"]], ["b [Å²]"] + [f"{b:.6f}" for b in fit["b"]]])
    return ('<div class="charts">' + chart + f"<div><p>Fit f(s) = c + Σ a exp(−b s²), s = sin θ/λ up to {fit['largest_s']:g} Å⁻¹: "
            f"c = {fit.get('c', 0):.6f}, largest error {fit['largest_error']:.4f} electrons.</p>" + table + "</div></div>")


def momentum_charts(r):
    """Compton profiles of the shells, times their electrons, and the incoherent scattering function."""
    profiles, curves = r["momentum"]["compton"], {}
    for label, p, J in zip(profiles["label"], profiles["p"], profiles["J"]):
        curves.setdefault(label, ([], []))
        curves[label][0].append(p)
        curves[label][1].append(J)
    electrons = {}
    for s in r["basis"]["orbitals"]:
        name = f"{s['n']}{LETTERS[s['l']]}"
        electrons[name] = electrons.get(name, 0.0) + s["occupation"]
    whole = curves.pop("atom")
    lines = [(name, p, [electrons[name] * x for x in J], i, i // charts.COLOURS) for i, (name, (p, J)) in enumerate(curves.items())]
    lines.append(("atom", *whole, charts.TOTAL, 0))
    top = max(max(J) for _, _, J, _, _ in lines)
    profile = charts.line_chart(f"Compton profiles of {r['name']}", "p [bohr⁻¹]", "J(p) [bohr]", lines, (0, 5), (0, 1.05 * top))
    scattering = r["momentum"]["incoherent"]
    return ('<div class="charts">' + profile + charts.line_chart(f"Incoherent scattering of {r['name']}", "q = 4π sin θ/λ [Å⁻¹]", "S(q) [electrons]",
            [("S(q)", scattering["q"], scattering["S"], 0, 0)], y_range=(0, 1.05 * r["z"])) + "</div>")


def basis_sets(r):
    """The errors of all collections, and the default set in the formats of other programs."""
    table = rows(["collection", "functions", "exponents", "error [hartree]"],
                 [[s["set"], s["functions"], escape(s["sizes"]), scientific(s["error"])] for s in r["sets"]])
    points = [(s["set"], s["functions"], s["error"]) for s in r["sets"] if s["error"] > 0]
    chart = charts.point_chart(f"Basis-set errors of {r['name']}", "functions", "energy − limit [hartree]", points) if points else ""
    links = "".join(f'<li><a href="{path}" download>{FORMAT_NAMES[name]}</a></li>' for name, path in r["basis_files"].items())
    error = r["basis"]["basis"].get("error_estimate")
    known = "known" if r["basis"]["basis"].get("error_known") else "estimated"
    text = f"<p>Default set: {escape(r['basis']['basis']['description'])}, {r['basis']['basis']['functions']} functions"
    text += f"; error {scientific(error)} hartree ({known})" if error is not None else ""
    return f'<div class="charts">{chart}<div>{table}{text}.</p><ul class="files">{links}</ul></div></div>'


def ions(r):
    """Energies of the ions, relative to the neutral atom."""
    symbol, neutral = r["symbol"], {"charge": 0, "status": "converged", "difference_ev": 0.0, "energy": r["basis"]["energy"],
                                    "configuration": r["basis"]["configuration"]["description"]}
    every = sorted([neutral, *r["ions"]], key=lambda i: i["charge"])
    table = rows(["", "configuration", "energy [hartree]", f"above {symbol} [eV]"],
                 [[ion_name(symbol, i["charge"]), escape(i["configuration"]), f"{i['energy']:.8f}", f"{i['difference_ev']:.4f}"]
                  if i["status"] == "converged" else [ion_name(symbol, i["charge"]), escape(i["configuration"]), escape(i["status"]), ""]
                  for i in every])
    found = [i for i in every if i["status"] == "converged"]
    if len(found) < 2:
        return table
    chart = charts.level_chart(f"Ions of {r['name']}", "", f"energy above that of {symbol} [eV]",
                               [(ion_name(symbol, i["charge"]), [(i["difference_ev"], f"{i['difference_ev']:.2f}", 0)]) for i in found])
    return f'<div class="charts">{chart}<div>{table}</div></div>'


def level_section(r):
    """Levels of the ground configuration, where the program computed them: a diagram of all, unless there are too many for a picture,
    and a table of the lowest."""
    found = (r["levels"] or {}).get("levels")
    if not found:
        return ""
    body, count = [], r["levels"].get("count", len(found))
    for level in found:
        above, two_j, _, term = levels.line_of(level, found[0]["energy"])
        terms = sorted(level.get("terms") or [], key=lambda t: -t["percent"])
        label, odd = re.sub(r" \(\d+\)$", "", str(level.get("label") or "")), levels.is_odd(level)
        body.append([configuration_name(label.rpartition(" ")[0]), term, levels.half(two_j), "odd" if odd else "even", f"{above:.2f}",
                     f"{above * HARTREE_EV / levels.HARTREE_CM:.5f}", f"{level['g']:.4f}" if level.get("g") is not None else "",
                     escape(", ".join(f"{t['percent']:.1f} % {levels.term_name(t['term'], odd)}" for t in terms))])
    chart = "" if count == 1 else levels.diagram(r["name"], r["lines"]) if count <= levels.MOST else "<p>These are too many for a picture.</p>"
    table = rows(["configuration", "term", "J", "parity", "[cm⁻¹]", "[eV]", "g", "composition"], body)
    note = f"<p>The lowest {len(found)} of {count} levels.</p>" if count > len(found) else ""
    lead = "A single level." if count == 1 else (f"{count} levels: configuration interaction within this configuration with the Breit interaction, "
                                                 "without other correlation, so that terms lie 10 to 45 % too far apart.")
    return (f'<h2>Levels of the ground configuration</h2><p class="lead">{lead}</p><div class="charts">{chart}<div class="tall">{note}{table}</div></div>')


def configuration_name(text):
    """5f3(4I) 6d1 with raised numbers of electrons and multiplicities."""
    raised = re.sub(r"(\d[a-z])(\d+)", lambda m: m[1] + (m[2].translate(RAISED) if m[2] != "1" else ""), text)
    return escape(re.sub(r"\((\d+)(?=[A-Z])", lambda m: "(" + m[1].translate(RAISED), raised))


def element_page(r, results):
    z, symbol = r["z"], r["symbol"]
    order = sorted(results)
    at = order.index(z)
    near = [order[at - 1] if at > 0 else None, order[at + 1] if at + 1 < len(order) else None]
    before, after = (link(other, results) if other else "<span></span>" for other in near)
    nucleus = r["basis"]["nucleus"]
    facts = [("configuration", escape(r["basis"]["configuration"]["description"])), ("nucleus",
             f"{nucleus['model']}, mass number {nucleus['mass_number']}, rms radius {nucleus['rms_bohr']:.4e} bohr"),
             ("ionisation energy", difference_text(r["cation"], 1)), ("electron affinity", difference_text(r["anion"], -1))]
    body = (f'<nav class="near" aria-label="elements"><span>← {before}</span><a href="index.html">all elements</a>'
            f'<span>{after} →</span></nav><main id="content"><h1>{z} {NAMES[z - 1]} ({symbol})</h1><dl class="facts">' +
            "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in facts) +
            "</dl><p class=\"lead\">Differences of self-consistent averages of configurations, without correlation: not to be "
            "confused with measured values between levels.</p>"
            f'<h2>Energies</h2>{energies(r)}<h2>Spinors</h2><div class="charts">{spinor_levels(r)}<div class="tall">{spinors(r)}</div></div>'
            f'<div class="charts"><div><h2>Radial density</h2>{density_chart(r)}</div>'
            f"<div><h2>Outermost spinors</h2>{outer_chart(r)}</div></div>{level_section(r)}"
            f"<h2>Ions</h2>{ions(r)}<h2>X-ray form factor</h2>{form_factor(r)}<h2>Momentum space</h2>{momentum_charts(r)}<h2>Basis sets</h2>{basis_sets(r)}"
            '<h2>Files</h2><ul class="files">' +
            "".join(f'<li><a href="data/{symbol}{end}" download>{name}</a></li>' for end, name in
                    ((".json", "all results (JSON)"), ("-radial.csv", "P, Q and density (CSV)"),
                     ("-formfactor.json", "form factor and fit (JSON)"), ("-momentum.json", "Compton profiles and S(q) (JSON)"), *([("-levels.csv", "all levels (CSV)")] if r["levels"] else []))) +
            "</ul></main>")
    return page(f"{NAMES[z - 1]} – atlas of the elements", body, r["basis"]["version"])


def cell(z, results):
    row, column = place(z)
    style = f'style="grid-row:{row};grid-column:{column}"'
    text = f'<span class="z">{z}</span> <strong>{SYMBOLS[z - 1]}</strong>'
    if z not in results:
        return f'<span class="absent" {style}>{text}</span>'
    energy = f"<small>{results[z]['limit']['energy']:.2f}</small>"
    return f'<a class="{block(z)}" {style} href="{SYMBOLS[z - 1]}.html" title="{NAMES[z - 1]}" aria-label="{NAMES[z - 1]}">{text}{energy}</a>'


def index_page(results):
    version = next(iter(results.values()))["basis"]["version"]
    body = ('<main id="content"><h1>Atlas of the elements</h1><p class="lead">Relativistic self-consistent fields of the neutral '
            "atoms: energies in a Gaussian basis set and at the numerical limit, spinors, densities, X-ray form factors and basis "
            "sets. The number in a cell is the energy at the limit in hartree. Choose an element.</p>"
            '<nav aria-label="periodic table"><div class="wide"><div class="table">' +
            "".join(cell(z, results) for z in range(1, 119)) + '<span class="gap" style="grid-row:8;grid-column:1"></span></div></div></nav>'
            '<h2>Files</h2><ul class="files"><li><a href="atlas.csv" download>all elements, energies and differences (CSV)</a></li>'
            '<li><a href="atlas.json" download>the same (JSON)</a></li></ul></main>')
    return page("Atlas of the elements", body, version)


def summary(r):
    ev = lambda ion: ion["difference_ev"] if ion and ion["status"] == "converged" else None  # noqa: E731
    affinity = ev(r["anion"])
    return {"Z": r["z"], "symbol": r["symbol"], "configuration": r["basis"]["configuration"]["description"],
            "energy_limit": r["limit"]["energy"], "energy_basis": r["basis"]["energy"], "functions": r["basis"]["basis"]["functions"],
            "with_breit_and_qed": r["basis"]["total_with_corrections"], "ionisation_ev": ev(r["cation"]),
            "affinity_ev": -affinity if affinity is not None else None,
            "fit_largest_error": r["form_factor"]["species"][0]["fit"]["largest_error"]}


def write(results, out):
    by_charge = {r["z"]: r for r in results}
    shutil.copy(HERE / "style.css", out / "style.css")
    for r in results:
        (out / f"{r['symbol']}.html").write_text(element_page(r, by_charge))
    (out / "index.html").write_text(index_page(by_charge))
    table = [summary(r) for r in results]
    (out / "atlas.json").write_text(json.dumps({"unit": "hartree", "elements": table}, indent=1) + "\n")
    with open(out / "atlas.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, table[0].keys())
        writer.writeheader()
        writer.writerows(table)


