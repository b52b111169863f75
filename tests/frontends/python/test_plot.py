"""Pictures: what is drawn is what was given, with units at the axes, into the axes that the caller names."""
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import cudaprophet as cp

pytest.importorskip("matplotlib")
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from cudaprophet import plot  # noqa: E402
from cudaprophet.plot import _grotrian, _levels, _style  # noqa: E402

HARTREE_EV, HARTREE_CM = 27.211386245988, 219474.63136320
# Axes of pure numbers.
PURE = {r"$\langle j_k\rangle$", "1000 × error of the fit", "sites", "iteration", "largest change", "functions", "evaluation", "$Z$", "$g(r)$", "$S(q)$", "(energy − limit) / |limit|", ""}
LEVELS = {"operation": "levels", "symbol": "C", "levels": [
    {"J": 0.0, "parity": "+", "energy": -37.7, "excitation_energy": 0.0, "label": "a", "g": None,
     "terms": [{"term": "1S", "percent": 0.4}, {"term": "3P", "percent": 99.6}]},
    {"J": 1.0, "parity": "+", "energy": -37.69993, "excitation_energy": 7e-5, "label": "b", "terms": [{"term": "3P", "percent": 100}], "g": 1.5},
    {"J": 2.0, "parity": "+", "energy": -37.6446, "excitation_energy": 0.0554, "label": "c", "terms": [{"term": "1D", "percent": 97}], "g": 1.0},
    {"J": 1.5, "parity": "-", "energy": -37.5, "excitation_energy": 0.2, "label": "d", "terms": [], "g": 1.0}]}
ROW = {"element": "He", "Z": 2, "energy": -2.86, "minus_limit": 1e-5, "prolapse": 0.0, "symmetries":
       [{"l": "s", "error": 1e-5, "lack": 1e-5, "prolapse": 0.0}], "remarks": []}


def audit_of(*sets):
    return {"operation": "audit", "audit_version": 1, "sets": [{"name": name, "file": "m.nw", "rows": rows} for name, rows in sets]}


@pytest.fixture(scope="module")
def made(neon):
    """Something of every kind, as arguments of its function."""
    places = [[0, 0, 0], [2.13, 0, 0], [0, 2.13, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch = cp.batch(elements="He,Li,Be", charge="0,1", threads=1)
        made = {
            "audit": (audit_of(("a", [ROW]), ("b", [ROW])),),
            "chain": (cp.chain("He", threshold=1e-3, threads=1),),
            "convergence": (neon,),
            "density": (neon,),
            "differences": ({"operation": "compare", "differences": [
                {"difference": "ionisation energy of He (1s)", "kind": "ionisation energy", "eV": 23.4, "error_hartree": 1e-8},
                {"difference": "electron affinity of F (2p)", "kind": "electron affinity", "eV": 1.35, "error_hartree": None}]},),
            "distribution": (cp.pairs(["Co", "O", "O"], places, range=4.0, bins=40),),
            "errors": ("prophet-dz", "prophet-tz"),
            "exponents": ("prophet-1", [2, 10, 86]),
            "form_factor": ([neon, cp.Atom("Ne", charge=1).energy()],),
            "form_factor_differences": (neon,),
            "image": (cp.shape(sphere=50, q_grid=[[-0.1, 0.1, 7], [-0.2, 0.2, 5], 0.0]),),
            "levels": (LEVELS,),
            "madelung": (cp.madelung(str(Path(__file__).resolve().parents[3] / "inputs/mgo.cif")),),
            "magnetic": (cp.tables("Ti3+", what="magnetic", fit=3, threads=1),),
            "pattern": ({"one": cp.powder(["Co", "O", "O"], places, q=np.arange(0.2, 6, 0.2), form_factors="waasmaier-kirfel"),
                         "other": cp.powder(["Co", "O"], places[:2], q=np.arange(0.2, 6, 0.2), form_factors="waasmaier-kirfel")},),
            "profiles": (cp.tables("Ne", what="compton", threads=1),),
            "scattering": (cp.tables(["Ne", "Ar"], what="incoherent", threads=1),),
            "search": (cp.optimise("He", cp.ladder([(0.08, 1.95, 4.5, 1.5)], [8]), maxfun=12, threads=1),),
            "shape": (cp.shape(sphere=50, q=[[0, 0, q] for q in np.linspace(0.01, 0.3, 30)]),),
            "slater": (cp.slater("Fe2+", config="[Ar] 3d6"),),
            "spectrum": (cp.lines("O", configs="2p4", multipoles="M1 E2", nucleus="point"),),
            "spinor_energies": (neon,),
            "spinors": (neon,),
            "structure": (cp.structure("CoO", shape="sphere:10"),),
            "subshells": (cp.tables("Ne", what="incoherent", threads=1),),
            "trends": (batch,),
        }
    return made


def drawn(made, kind, **options):
    return getattr(plot, kind)(*made[kind], **options)


def axis_labels(figure):
    every = [*figure.axes, *(child for axis in figure.axes for child in axis.child_axes)]
    return [text for axis in every for text in (axis.get_xlabel(), axis.get_ylabel())]


KINDS = sorted(set(plot.__all__) - {"draw", "kind_of", "outermost", "save", "subplots"})


def test_there_is_something_of_every_kind(made):
    assert sorted(made) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_units_stand_in_brackets(made, kind):
    figure = drawn(made, kind)
    found = [text for text in axis_labels(figure) if text not in PURE]
    assert found or kind in ("chain", "convergence", "errors")
    for text in found:
        assert re.search(r"\[[^\[\]]+\]$", text), text
        assert "angstrom" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_draws_into_the_axes_of_the_caller(made, kind):
    figure = Figure()
    single = figure.subplots()
    single.set_title("mine")
    assert drawn(made, kind, ax=single) is figure
    assert single.lines or single.collections or single.images or single.patches
    assert single.get_title() == "mine" and figure._suptitle is None
    assert [axis for axis in figure.axes if axis is not single and axis.get_label() != "<colorbar>"] == []


def test_several_axes_for_several_panels(neon):
    axes = Figure().subplots(2, 1)
    plot.spinors(neon, ax=axes)
    assert all(len(axis.lines) == 3 for axis in axes)
    with pytest.raises(cp.Error, match="expected Axes"):
        plot.spinors(neon, ax="here")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"image"}))
def test_legends_can_be_left_out(made, kind):
    assert all(axis.get_legend() is None for axis in drawn(made, kind, legend=False).axes)


def test_colours_are_those_given(neon, made):
    figure = plot.spinors(neon, colours=["#111111", "#222222"])
    assert {line.get_color() for line in figure.axes[0].lines} == {"#111111", "#222222"}
    figure = plot.form_factor(made["form_factor"][0], colours={"Ne+": "red"})
    assert [line.get_color() for line in figure.axes[0].lines] == [_style.PALETTE[0], "red"]
    assert len({line.get_linestyle() for line in figure.axes[0].lines}) == 2  # curves on top of each other are both seen
    assert drawn(made, "image", colours="magma").axes[0].images[0].get_cmap().name == "magma"


def seen_by(colours, matrix):
    """CIELAB of colours as somebody without one kind of cone sees them (Machado, Oliveira and Fernandes 2009)."""
    rgb = np.array([to_rgb(c) for c in colours])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ np.array(matrix).T, 0, 1)
    xyz = linear @ np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]).T / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=-1)


@pytest.mark.parametrize("matrix", [
    np.eye(3),
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],  # protanopia
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]])  # deuteranopia
def test_colours_differ_for_the_colour_blind(matrix):
    lab = seen_by(_style.PALETTE, matrix)
    distances = np.linalg.norm(lab[:, None] - lab[None], axis=-1)[~np.eye(len(lab), dtype=bool)]
    assert distances.min() > 17  # a difference of 2.3 is just noticeable


def curves(axis):
    return {line.get_label(): line for line in axis.lines}


def test_spinors_and_density_are_those_of_the_result(neon):
    assert plot.outermost(neon) == ["2s1/2", "2p1/2", "2p3/2"]
    figure = plot.spinors(neon, ["1s1/2", "2s1/2"])
    for axis, component in zip(figure.axes, (0, 1)):
        for line, label in zip(axis.lines, ("1s1/2", "2s1/2")):
            r, values = line.get_data()
            assert np.array_equal(values, neon.spinors[label].radial(r)[component])
    assert len({line.get_color() for line in figure.axes[0].lines}) == 2  # two spinors of one symmetry
    lines = curves(plot.density(neon).axes[0])
    assert list(lines) == ["n = 1, 2 electrons", "n = 2, 8 electrons", "all shells"]
    r, values = lines["all shells"].get_data()
    assert np.allclose(values, neon.radial_density(r), rtol=1e-12)
    assert np.allclose(sum(lines[name].get_ydata() for name in list(lines)[:2]), values, rtol=1e-12)
    with pytest.raises(KeyError, match="9s1/2"):
        plot.spinors(neon, ["9s1/2"])


def test_energies_of_spinors(neon, made):
    figure = plot.spinor_energies(neon)
    heights = sorted(segment[0][1] for line in figure.axes[0].collections for segment in line.get_segments())
    assert np.allclose(heights, np.sort(-neon.spinors.energies))
    low, high = figure.axes[0].get_ylim()
    assert low > high  # the deepest below
    assert plot.spinor_energies(neon.to_dict() | {"operation": "energy"}).axes[0].collections
    assert len(plot.spinor_energies([neon, neon]).axes[0].get_legend().get_texts()) == 2


def test_form_factors_and_fits(neon):
    q, values = plot.form_factor(neon, largest=10).axes[0].lines[0].get_data()
    assert q[-1] == 10 and np.array_equal(values, neon.form_factor(q))
    record = cp.formfactor("Fe", q=np.arange(0, 10, 0.5), fit="waasmaier-kirfel")
    q, values = plot.form_factor(record).axes[0].lines[0].get_data()
    assert np.array_equal(values, record.to_dict()["species"][0]["f"])
    axis = plot.form_factor_differences(record).axes[0]
    fit = record.to_dict()["species"][0]["fit"]
    assert np.abs(axis.lines[0].get_ydata()).max() <= fit["largest_error"] * 1.001
    # Published parameters, as the program has them: of iron they are good to 0.02 electrons below s = 1/Å.
    iron = cp.Atom("Fe").energy()
    axis = plot.form_factor_differences(iron, largest=10).axes[0]
    assert 1e-3 < np.abs(axis.lines[0].get_ydata()).max() < 0.05
    own = plot.form_factor_differences(iron, {"Fe": {"a": [26.0], "b": [1.0], "c": 1.0}}, largest=10).axes[0].lines[0]
    q, values = own.get_data()
    assert np.allclose(values, 1 + 26 * np.exp(-(q / (4 * np.pi)) ** 2) - iron.form_factor(q))
    with pytest.raises(cp.Error, match="no fit"):
        plot.form_factor_differences(iron, {"Ne": {"a": [], "b": []}})


def test_convergence_and_search(neon, made):
    lines = curves(plot.convergence(neon).axes[0])
    change = lines["energy [hartree]"]
    assert np.array_equal(change.get_ydata(), np.abs(neon.history["energy_change"][1:])[neon.history["energy_change"][1:] != 0])
    found = made["search"][0]
    energies = np.array([e for _, e in found.history], dtype=float)
    lines = curves(plot.search(found).axes[0])
    assert np.allclose(np.nan_to_num(lines["evaluations"].get_ydata()), energies - energies.min())
    assert np.all(np.diff(lines["lowest so far"].get_ydata()[~np.isnan(lines["lowest so far"].get_ydata())]) <= 0)


def test_exponents(made):
    with pytest.raises(cp.Error, match="none of these elements"):
        plot.exponents("nothing")
    radon = cp.basis("Rn")
    figure = plot.exponents(radon)
    assert figure._suptitle.get_text().startswith("Exponents of Rn")
    zetas = np.concatenate([line.get_ydata() for line in figure.axes[1].lines])
    assert sorted(zetas) == sorted([*radon.exponents("p-"), *radon.exponents("p+")])
    line = plot.exponents("prophet-1", range(1, 19)).axes[0].lines[0]  # lines, as dots would make patterns
    of_neon = line.get_ydata()[line.get_xdata() == 10]
    assert set(of_neon) == set(cp.basis("Ne").exponents("s+"))
    steps = np.diff(line.get_xdata())
    assert set(steps[~np.isnan(steps)]) == {1.0}  # from an element to the next one


def test_chain(made):
    result = made["chain"][0]
    figure = plot.chain(result)
    lines = curves(figure.axes[0])
    star = next(line for name, line in lines.items() if name.startswith("result"))
    assert star.get_xdata()[0] == result.basis.functions and star.get_ydata()[0] == abs(result.error)
    tried, reference = plot._sets._tried(result.log)
    assert reference is not None and reference not in tried  # the large set is none of those tried
    assert reference[0] > 1.5 * result.basis.functions and figure.axes[0].get_xlim()[1] < reference[0]
    assert any("not shown" in text.get_text() for text in figure.axes[0].get_legend().get_texts())


def test_errors_of_collections(made):
    lines = curves(drawn(made, "errors").axes[0])
    assert list(lines) == ["prophet-dz", "prophet-tz"]
    z, values = lines["prophet-dz"].get_data()
    assert values[list(z).index(10)] == cp.basis("Ne", "prophet-dz").provenance["error"]
    record = cp.basis_table("prophet-dz", "prophet-tz", elements="He,Ne")
    lines = curves(plot.errors(record).axes[0])
    assert list(lines) == ["prophet-dz", "prophet-tz"] and list(lines["prophet-tz"].get_xdata()) == [2, 10]
    with pytest.raises(cp.Error, match="neither a file nor a collection"):
        plot.errors("nothing")


def test_audits(tmp_path):
    below = {**ROW, "element": "Li", "Z": 3, "minus_limit": -1e-6, "prolapse": 2e-6,
             "remarks": [{"kind": "error_outlier", "list": "s", "text": "s: lacks"}]}
    nothing = {**ROW, "element": "Be", "Z": 4, "energy": None, "minus_limit": None}
    file = tmp_path / "a.json"
    file.write_text(json.dumps({k: v for k, v in audit_of(("mine", [ROW, below, nothing])).items() if k != "operation"}))
    figure = plot.audit(str(file))
    assert sorted(x for line in figure.axes[0].lines for x in line.get_xdata()) == [2.0, 3.0, 3.0]  # a ring around Li
    names = [line.get_label() for line in figure.axes[1].lines]
    assert names[:1] == ["s"] and "f" not in names
    figure = plot.audit(audit_of(("a", [ROW]), ("b", [ROW])))
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["", "a", "b"]  # a panel for each set
    table = tmp_path / "a.csv"
    table.write_text("element,energy,minus_limit,prolapse,error_s,error_p,error_d,error_f,prolapse_s,prolapse_p,prolapse_d,"
                     "prolapse_f,Z,set,remarks\nHe,-2.86,1e-05,0,1e-05,,,,0,,,,2,mine,\n")
    assert plot.audit(str(table)).axes[0].lines[0].get_ydata()[0] == 1e-5
    table.write_text("a,b\n1,2\n")
    with pytest.raises(cp.Error, match="those of no operation"):
        plot.audit(str(table))


def test_patterns_and_distributions(made):
    patterns = made["pattern"][0]
    figure = plot.pattern(patterns)
    for axis in figure.axes:
        for name, line in curves(axis).items():
            assert np.array_equal(line.get_xdata(), patterns[name].q)
            assert np.array_equal(line.get_ydata(), patterns[name].intensity / patterns[name].atoms)
    assert figure.axes[1].get_yscale() == "log"
    pairs = made["distribution"][0]
    figure = plot.distribution(pairs)
    shown = {line.get_label(): line for axis in figure.axes for line in axis.lines if not line.get_label().startswith("_")}
    assert list(shown) == ["all atoms", *pairs.partial] and len(figure.axes) == 1 + len(pairs.partial)  # none hides another
    for name, values in pairs.partial.items():
        assert np.array_equal(shown[name].get_ydata(), values) and shown[name].get_drawstyle() == "steps-mid"
    with pytest.raises(cp.Error, match="expected pair distributions"):
        plot.distribution(patterns["one"])


def test_patterns_against_measured_ones(tmp_path, made):
    places = [[0, 0, 0], [0, 0, 2.1], [0, 2.1, 0]]
    q = np.linspace(2, 8, 60)
    file = tmp_path / "measured.csv"
    np.savetxt(file, np.transpose([q, cp.powder(["Co", "O", "O"], places, q=q, form_factors="constant").intensity]), delimiter=",")
    fit = cp.powder(["Co", "O", "O"], places, against=str(file), form_factors="constant", background=-1)
    assert fit.fitted["lattice"][0] == pytest.approx(1, abs=1e-5) and fit.r_wp < 1e-4
    figure = plot.pattern(fit)
    lines = curves(figure.axes[0])
    assert np.array_equal(lines["measured"].get_ydata(), fit.measured) and np.array_equal(lines["computed"].get_ydata(), fit.computed)
    assert np.array_equal(curves(figure.axes[1])["difference"].get_ydata(), fit.difference)
    axis = plot.subplots()[1]
    plot.pattern(fit, ax=axis)
    assert set(curves(axis)) >= {"measured", "computed", "background", "difference"}
    with pytest.raises(cp.Error, match="one at a time"):
        plot.pattern({"a": fit, "b": made["pattern"][0]["one"]})


def test_shapes_and_images(made):
    curve = made["shape"][0]
    q, values = plot.shape(curve).axes[0].lines[0].get_data()
    assert np.allclose(q, curve.q[:, 2]) and np.array_equal(values, curve.intensity)
    grid = made["image"][0]
    figure = plot.image(grid, decades=3)
    picture = figure.axes[0].images[0]
    expected = np.array(grid.intensity).reshape(7, 5).T  # columns q_x, rows q_y
    assert np.allclose(picture.get_array(), np.maximum(expected, expected.max() * 1e-3))
    assert picture.norm.__class__.__name__ == "LogNorm" and figure.axes[1].get_ylabel() == "$I$ [Å⁶]"
    left, right, bottom, top = picture.get_extent()
    assert np.allclose([left, right, bottom, top], [-0.1 - 1 / 60, 0.1 + 1 / 60, -0.25, 0.25])
    with pytest.raises(cp.Error, match="drawn by 'shape'"):
        plot.image(curve)
    detector = cp.shape(cylinder=[50, 80], alpha_i=0.2, alpha_f=[0.1, 1, 4], two_theta_f=[-1, 1, 6], wavelength=1.0)
    axis = plot.image(detector).axes[0]
    assert axis.images[0].get_array().shape == (4, 6) and axis.get_ylabel() == r"$\alpha_f$ [°]"
    lists = cp.shape(sphere=50, q_grid=[{"values": [-0.1, 0, 0.05, 0.2]}, {"values": [0, 0.01, 0.1]}, 0.0])
    assert plot.image(lists).axes[0].collections[0].get_array().shape == (3, 4)
    block = plot.image(cp.shape(sphere=50, q_grid=[[-0.1, 0.1, 3], [-0.1, 0.1, 4], [-0.1, 0.1, 5]]))
    assert block.axes[0].images[0].get_array().shape == (4, 3) and "q_z" in block._suptitle.get_text()


def test_trends(made, neon):
    batch = made["trends"][0]
    rows = {(row["symbol"], row["charge"]): row for row in batch.to_dict()["jobs"]}
    z, values = curves(plot.trends(batch).axes[0])["X → X⁺"].get_data()
    assert list(z) == [2, 3, 4]
    assert np.allclose(values[0], (rows["He", 1]["energy"] - rows["He", 0]["energy"]) * HARTREE_EV)
    lines = curves(plot.trends(batch, "functions").axes[0])
    assert lines["neutral atoms"].get_ydata()[0] == rows["He", 0]["functions"] and "charge +1" in lines
    results = cp.energies(["He", "Ne"], progress=False, threads=1)
    z, radii = plot.trends(results, "radius").axes[0].lines[0].get_data()
    assert np.isnan(z[1]) and radii[2] == results[1].spinors["2p3/2"].mean_radius  # missing elements are not bridged
    assert results.plot().axes[0].get_ylabel() == plot.trends(results, "radius").axes[0].get_ylabel()
    with pytest.raises(cp.Error, match="expected ionisation"):
        plot.trends(batch, "colour")
    with pytest.raises(cp.Error, match="do not have"):
        plot.trends(results, "ionisation")


def test_differences(made):
    bars = drawn(made, "differences").axes[0].patches
    assert [bar.get_width() for bar in bars] == [23.4, 1.35]
    many = {"operation": "compare", "differences": [
        {"difference": f"ionisation energy of {s} (1s)", "kind": "ionisation energy", "eV": float(i), "error_hartree": 0.0}
        for i, s in enumerate("H He Li Be B C N O F Ne Na Mg Al Si P S Cl".split())]}
    line = plot.differences(many).axes[0].containers[0].lines[0]
    assert list(line.get_xdata()) == list(range(1, 18)) and list(line.get_ydata()) == list(range(17))


# Atoms whose diagrams differ in kind: few levels, many, several configurations, half-integral J, columns of J.
DIAGRAMS = {"C": ("C", {}), "Fe2+": ("Fe2+", {"config": "[Ar] 3d6"}), "two": ("C", {"config": "[He] 2s2 2p2 | [He] 2p4"}), "Pr3+": ("Pr3+", {}),
            "Nd3+": ("Nd3+", {}), "Gd3+": ("Gd3+", {}), "odd": ("Zn", {"config": "[Ar] 3d10 4s2 | [Ar] 3d10 4s1 4p1"})}


@pytest.fixture(scope="module")
def records():
    return {name: cp.levels(atom, **settings) for name, (atom, settings) in DIAGRAMS.items()}


def bars(axis, label=None):
    """Heights of the bars, ascending; of those of a legend's entry."""
    return sorted(float(segment[0][1]) for lines in axis.collections if label in (None, lines.get_label()) for segment in lines.get_segments())


def boxes(figure, texts):
    figure.draw_without_rendering()
    return [text.get_window_extent() for text in texts if text.get_text()]


def overlapping(boxes):
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1:] if a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_level_has_a_bar_at_its_energy(records, name):
    axis = plot.levels(records[name]).axes[0]
    expected = [level["excitation_energy"] * HARTREE_CM for level in records[name].levels]
    assert len(bars(axis)) == len(expected) == {"C": 5, "Fe2+": 34, "two": 10, "Pr3+": 13, "Nd3+": 41, "Gd3+": 327, "odd": 5}[name]
    assert np.allclose(bars(axis), sorted(expected), rtol=1e-12, atol=1e-9)
    assert {tuple(colour) for lines in axis.collections for colour in lines.get_colors()} <= {(*to_rgb(c), 1.0) for c in _style.PALETTE}
    low, high = axis.get_ylim()
    assert low < 0 and high > max(expected)
    right = axis.child_axes[0]
    axis.figure.draw_without_rendering()
    assert np.isclose(right.get_ylim()[1], high / HARTREE_CM * HARTREE_EV) and right.get_ylabel() == "excitation energy [eV]"
    assert axis.get_ylabel() == "excitation energy [10³ cm⁻¹]" and axis.yaxis.get_major_formatter()(20000.0, 0) == "20"


@pytest.mark.parametrize("name", DIAGRAMS)
@pytest.mark.parametrize("compared", [False, True])
def test_texts_of_levels_do_not_overlap(records, name, compared):
    measured = [(level["J"], level["parity"], 0.8 * level["excitation_energy"] * HARTREE_CM) for level in records[name].levels]
    figure = plot.levels(records[name], experiment=measured if compared else None)
    axis = figure.axes[0]
    assert axis.texts
    texts = boxes(figure, axis.texts)
    frame = axis.get_window_extent()
    assert overlapping(texts) == [] and overlapping(boxes(figure, axis.get_xticklabels())) == []
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in texts)
    for lines in axis.collections:  # nor do they cross a bar
        for segment in lines.get_segments():
            (left, height), (right, _) = axis.transData.transform(segment)
            assert not any(box.x0 < right and left < box.x1 and box.y0 < height < box.y1 for box in texts)


def test_columns_are_terms_or_j(records):
    def ticks(name):
        return [text.get_text() for text in plot.levels(records[name]).axes[0].get_xticklabels()]

    assert ticks("C") == [_style.term_text(term) for term in ("3P", "1S", "1D")]
    assert ticks("Fe2+") == [_style.term_text(term) for term in "5D 3P 3D 3F 3G 3H 1S 1D 1F 1G 1I".split()]
    assert ticks("odd") == [_style.term_text(term) for term in ("3Po", "1S", "1Po")]
    assert ticks("Gd3+") == [f"J = {n}/2" for n in range(1, 26, 2)]  # 31 terms


def test_j_of_levels_is_told(records):
    assert sorted(text.get_text() for text in plot.levels(records["C"]).axes[0].texts) == ["0", "0–2", "2"]
    texts = [text.get_text() for text in plot.levels(records["Fe2+"]).axes[0].texts]
    assert "4–0" in texts and "6–4" in texts  # the lowest level first: these terms are inverted
    lead = [{"J": j, "parity": "+", "energy": e, "label": "6p2 3P", "terms": []} for j, e in ((0, 0.0), (1, 0.03), (2, 0.05))]
    assert [text.get_text() for text in plot.levels({"operation": "levels", "levels": lead}).axes[0].texts] == ["0", "1", "2"]
    shown = [text.get_text() for text in plot.levels(records["Gd3+"]).axes[0].texts]
    assert _style.term_text("8So") in shown and set(shown) <= {_style.term_text(f"{m}{l}o") for m in (2, 4, 6, 8) for l in "SPDFGHIKLMNOQ"}


def test_colours_of_levels(records):
    def colours(name, **options):
        axis = plot.levels(records[name], **options).axes[0]
        return [text.get_text() for text in axis.get_legend().get_texts()], {lines.get_label(): lines.get_colors()[0] for lines in axis.collections}

    names, found = colours("two")
    assert names == ["2s² 2p²", "2p⁴"]
    assert np.allclose(found["2p4"][:3], to_rgb(_style.PALETTE[1]))
    assert colours("odd")[0] == ["4s²", "4s 4p"]
    assert colours("Gd3+")[0] == ["octets", "sextets", "quartets", "doublets"]
    assert np.allclose(colours("two", colours={"2p4": "red"})[1]["2p4"][:3], to_rgb("red"))
    assert plot.levels(records["C"]).axes[0].get_legend() is None  # nothing to tell apart
    axis = plot.levels(records["two"]).axes[0]
    assert bars(axis, "2p4")[0] > bars(axis, "2s2 2p2")[-1]


def test_levels(tmp_path, records):
    axis = plot.levels(LEVELS).axes[0]
    assert np.allclose(bars(axis), [0, 7e-5 * HARTREE_CM, 0.0554 * HARTREE_CM, 0.2 * HARTREE_CM])
    assert [text.get_text() for text in axis.get_xticklabels()] == [r"$^{3}\mathrm{P}$", r"$^{1}\mathrm{D}$", "J = 3/2 odd"]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["even parity", "odd parity"]
    assert len(bars(plot.levels(LEVELS, highest=20000).axes[0])) == 3
    with pytest.raises(cp.Error, match="no levels to show"):
        plot.levels(LEVELS, highest=-1)
    # Parents are no configurations of their own.
    parents = [{"J": j, "parity": "+", "energy": float(e), "label": name, "terms": []} for e, (j, name) in
               enumerate(((2, "3d6(5D) 4s1 6D"), (1, "3d6(5D) 4s1 4D"), (0, "3d6(3P) 4s1 4P (1)")))]
    assert plot.levels({"operation": "levels", "levels": parents}).axes[0].get_legend() is None
    # A small splitting has no thousands.
    small = {"operation": "levels", "levels": [{"J": 0.5, "parity": "-", "energy": 0.0}, {"J": 1.5, "parity": "-", "energy": 7e-5}]}
    assert plot.levels(small).axes[0].get_ylabel() == "excitation energy [cm⁻¹]"
    table = tmp_path / "levels.csv"
    table.write_text("J,parity,index,energy_hartree,excitation_cm-1,label,percent,g\n0,+,1,-37.7,0,2p2 3P,99.9,\n1,+,1,-37.69,2194.746313632,2p2 3P,100,1.5\n")
    assert np.allclose(bars(plot.draw(str(table)).axes[0]), [0, 2194.746313632])
    file = tmp_path / "c.json"
    file.write_text(json.dumps(records["C"].to_dict()))
    assert plot.kind_of(str(file)) == "levels" and len(bars(plot.draw(str(file)).axes[0])) == 5
    with pytest.raises(cp.Error, match="'levels'"):
        plot.levels({"operation": "levels"})


def joined(axis):
    """Pairs of computed and measured energies that a line joins."""
    return sorted(tuple(map(float, line.get_ydata())) for line in axis.lines if len(line.get_ydata()) == 2 and line.get_linestyle() == "-"
                  and line.get_color() == _style.FRAME)


def test_experiment_stands_beside_the_levels(tmp_path, records):
    given = [(0, "+", 0), (1, "+", 16.4), ("2", "even", 43.4), (2.0, "+", 10192.7), (0, "+", 21648.0)]
    axis = plot.levels(records["C"], experiment=given).axes[0]
    computed = [level["excitation_energy"] * HARTREE_CM for level in records["C"].levels]
    assert np.allclose(joined(axis), list(zip(computed, (row[2] for row in given))))  # in order of energy on both sides
    assert bars(axis, "experiment") == [row[2] for row in given] and len(bars(axis)) == 10
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["computed", "experiment"]
    # A level that nothing was computed of has a column of its own.
    axis = plot.levels(records["C"], experiment=[*given, (3, "-", 15000.0)]).axes[0]
    assert [text.get_text() for text in axis.get_xticklabels()][-1] == "others" and 15000.0 in bars(axis, "experiment")
    assert len(joined(axis)) == 5
    # Of a level that is not known no line is drawn: 21648 belongs to the upper one of J = 0.
    axis = plot.levels(records["C"], experiment=given[1:]).axes[0]
    assert len(joined(axis)) == 4 and (computed[4], 21648.0) == pytest.approx(joined(axis)[-1])
    file = tmp_path / "own.csv"
    file.write_text("# from a table\nJ,parity,energy\n" + "".join(f"{j},{parity},{energy}\n" for j, parity, energy in given))
    assert np.allclose(joined(plot.levels(records["C"], experiment=str(file)).axes[0]), list(zip(computed, (row[2] for row in given))))
    many = Path(__file__).resolve().parents[3] / "src/data/nist-levels.csv"
    assert len(joined(plot.levels(records["C"], experiment=many).axes[0])) == 5
    iron = joined(plot.levels(records["Fe2+"], experiment=many).axes[0])
    assert all(0.75 * e - 500 < m < 1.1 * e + 500 for e, m in iron) and len(iron) > 30


@pytest.mark.parametrize("given, text", [
    ([(0, "+", "a")], "expected J"), ("nowhere.csv", "No such file"), ("wrong.csv", "expected the columns J, parity and energy"),
    ("many.csv", "no levels of C in")])
def test_wrong_experiment(tmp_path, monkeypatch, records, given, text):
    monkeypatch.chdir(tmp_path)
    Path("wrong.csv").write_text("a,b\n1,2\n")
    Path("many.csv").write_text("Z,symbol,charge,configuration,ground,complete,levels\n6,C,1,2p1,yes,yes,1/2:0;3/2:63.4\n")
    with pytest.raises(cp.Error, match=text):
        plot.levels(records["C"], experiment=given)


@pytest.fixture(scope="module")
def iron_lines():
    return cp.lines("Fe16+", configs="2p6 | 2p5 3s | 2p5 3d", nucleus="point")


def test_lines_between_levels(iron_lines):
    figure = plot.levels(iron_lines, lines=True)
    axis = figure.axes[0]
    drawn = [line for line in axis.lines if line.get_color() == _grotrian._COLOUR]
    assert len(drawn) == 15 and len(plot.levels(iron_lines, lines=4).axes[0].lines) < len(axis.lines)
    heights = {tuple(np.round(line.get_ydata(), 3)) for line in drawn}
    assert len(heights) == 15  # a line for two levels, though E1 and M2 may join them
    levels, lines = iron_lines.levels, sorted(iron_lines.to_dict()["lines"], key=lambda line: -line["A"])
    for line in lines[:5]:
        ends = [HARTREE_CM * levels[line[end]]["excitation_energy"] for end in ("upper", "lower")]
        assert any(np.allclose(ends, pair, atol=0.01) for pair in heights)
    for line in drawn:  # from bar to bar
        for x, y in line.get_xydata():
            assert any(abs(s[0][1] - y) < 1e-6 and s[0][0] < x < s[1][0] for lines in axis.collections for s in lines.get_segments())
    written = [text.get_text() for text in axis.texts if text.get_text().endswith(" nm")]
    assert f"{lines[0]['wavelength_vacuum']:.3f} nm" in written and 5 <= len(written) <= 8
    assert overlapping(boxes(figure, axis.texts)) == []
    names = [text.get_text() for text in axis.get_legend().get_texts()]
    assert names[:3] == ["2p⁶", "2p⁵ 3s", "2p⁵ 3d"] and names[3] == "E1" and set(names[4:]) <= {"E2", "M1", "M2"}
    few = [line for line in plot.levels(iron_lines, lines=True, highest=6e6).axes[0].lines if line.get_color() == _grotrian._COLOUR]
    assert 0 < len(few) < 15 and max(max(line.get_ydata()) for line in few) < 6e6
    with pytest.raises(cp.Error, match="expected lines, of the operation 'lines'"):
        plot.levels(LEVELS, lines=True)
    with pytest.raises(cp.Error, match="lines: found -1"):
        plot.levels(iron_lines, lines=-1)


@pytest.mark.parametrize("wavelength, text", [(574.0, "574.0 nm"), (1.5499, "1.550 nm"), (6301.2, "6301 nm"), (63184.0, "63.18 µm"), (2e7, "20000 µm")])
def test_wavelengths_are_written_short(wavelength, text):
    assert _grotrian.wavelength_text(wavelength) == text


def test_spectra(iron_lines):
    axis = plot.spectrum(iron_lines, temperature=5e6).axes[0]
    ends = axis.get_xlim()
    expected = cp.spectra.sticks(iron_lines, temperature=5e6)
    for drawn in axis.collections:
        for (x, low), (same, high) in drawn.get_segments():
            at = np.argmin(abs(expected.x - x) + (np.array(expected.type) != drawn.get_label()))
            assert x == same == expected.x[at] and low == 0 and high == expected.strength[at] and drawn.get_label() == expected.type[at]
    strong = expected.x[expected.strength > 1e-3 * expected.strength.max()]
    assert ends[0] < strong.min() and strong.max() < ends[1]
    assert axis.get_xlabel() == "wavelength in vacuum [nm]" and axis.get_ylabel() == "photons per ion [1/s]"
    options = {"kind": "absorption", "axis": "energy", "lorentz": 0.5, "types": "E1"}
    figure = plot.spectrum(iron_lines, span=(700, 850), **options)
    line = figure.axes[0].lines[0]
    assert np.array_equal(line.get_ydata(), cp.spectra.spectrum(iron_lines, line.get_xdata(), **options))
    assert tuple(figure.axes[0].get_xlim()) == (700, 850) and figure.axes[0].get_ylabel() == "cross section [Mb]"
    assert "absorption from the lowest level" in figure._suptitle.get_text() and figure.axes[0].get_xlabel() == "photon energy [eV]"
    assert plot.spectrum(iron_lines, temperature=5e6, power=True, fwhm=0.01).axes[0].get_ylabel() == "power per ion [eV/s per nm]"
    assert plot.kind_of(iron_lines) == "spectrum" and plot.draw(iron_lines).axes[0].collections
    with pytest.raises(cp.Error, match="span: found"):
        plot.spectrum(iron_lines, span=(2, 1))


def test_levels_that_belong_together():
    assert _levels._pairs([0.0, 10.0], [0.5, 9.0]) == [(0, 0), (1, 1)]
    assert _levels._pairs([0.0, 10.0, 20.0], [1.0, 19.0]) == [(0, 0), (2, 1)]
    assert _levels._pairs([9.0], [1.0, 8.0, 30.0]) == [(0, 1)] and _levels._pairs([], [1.0]) == []


def test_texts_do_not_overlap():
    places = _levels._apart([0.0, 0.1, 0.15, 5.0, 5.1], 1.0)
    assert np.all(np.diff(places) > 1 - 1e-12) and np.isclose(np.mean(places[:3]), np.mean([0, 0.1, 0.15]))
    assert _levels._apart([0.0, 2.0], 1.0) == [0.0, 2.0]


def test_slater_integrals(tmp_path):
    iron = cp.slater("Fe2+", config="[Ar] 3d6", hole="2p")
    values = [row["value"] for row in iron.to_dict()["parameters"]]
    upper, lower = plot.slater(iron).axes
    assert [bar.get_width() for bar in [*upper.patches, *lower.patches]] == values
    assert [text.get_text() for text in upper.get_yticklabels()][:2] == ["$F^{0}$(2p,2p)", "$F^{2}$(2p,2p)"]
    assert upper.get_xlabel() == "value [eV]" and len(upper.texts) == len(upper.patches)
    assert len({bar.get_facecolor() for bar in [*upper.patches, *lower.patches]}) == 5  # 2p,2p; 2p,3d; 3d,3d; 2p; 3d
    figure = Figure()
    plot.slater(iron, ax=figure.subplots())
    assert [bar.get_width() for bar in figure.axes[0].patches] == values
    # Along a series, by charge of the nucleus whatever the order.
    series = {name: cp.slater(name, config=f"[Ar] 3d{n}") for name, n in (("Ni2+", 8), ("Ti2+", 2), ("Fe2+", 6))}
    upper, lower = plot.slater(list(series.values())).axes
    assert [text.get_text() for text in lower.get_xticklabels()] == ["Ti²⁺", "Fe²⁺", "Ni²⁺"]
    expected = [next(row["value"] for row in series[name].to_dict()["parameters"] if (row["integral"], row["k"]) == ("F", 2))
                for name in ("Ti2+", "Fe2+", "Ni2+")]
    assert list(curves(upper)["$F^{2}$(3d,3d)"].get_ydata()) == expected
    assert len({(line.get_color(), line.get_linestyle()) for line in upper.lines}) == 3 and lower.get_ylabel() == r"$\zeta$ [eV]"
    file = tmp_path / "fe.csv"
    file.write_text("integral,shells,k,value\nF,\"3d,3d\",2,12.5\nzeta,3d,0,0.05\n")
    assert plot.kind_of(str(file)) == "slater" and plot.draw(str(file)).axes[0].patches[0].get_width() == 12.5
    with pytest.raises(cp.Error, match="different units"):
        plot.slater([iron, cp.slater("Fe2+", config="[Ar] 3d6", unit="cm-1")])


def test_potentials_of_a_crystal(made):
    axis = drawn(made, "madelung").axes[0]
    record = made["madelung"][0]
    assert [bar.get_height() for bar in axis.patches] == list(record.potential)
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["Mg", "O"]
    rows = [{"label": f"{'Mg' if i % 2 else 'O'}{i}", "charge": 0.0, "potential": float(i % 2) + 1e-15 * i} for i in range(60)]
    axis = plot.madelung({"operation": "madelung", "sites": rows}).axes[0]  # of many sites how many have which
    assert sum(bar.get_height() for bar in axis.patches) == 60 and axis.get_ylabel() == "sites"


def test_atoms_of_a_structure(made, tmp_path):
    ball = made["structure"][0]
    axis = drawn(made, "structure").axes[0]
    circles = axis.collections[0]
    shown = np.asarray(circles.get_offsets())
    places = np.asarray(ball.positions)
    assert sorted(map(tuple, shown)) == sorted(map(tuple, places[:, :2]))
    assert axis.get_aspect() == 1 and axis.get_xlabel() == "$x$ [Å]"
    order = np.argsort(places[:, 2], kind="stable")  # the nearest last: it hides those behind it
    assert np.array_equal(shown, places[order][:, :2])
    colours = circles.get_facecolors()[:, :3]
    of_first = [colours[i] for i, n in enumerate(order) if ball.symbols[n] == ball.symbols[order[-1]]]
    nearest = to_rgb(_style.PALETTE[0 if ball.symbols[order[-1]] == ball.symbols[0] else 1])
    assert np.allclose(of_first[-1], nearest) and of_first[0].sum() > of_first[-1].sum()  # paler behind
    side = plot.structure(ball, axis="x").axes[0]
    assert side.get_xlabel() == "$y$ [Å]" and sorted(map(tuple, np.asarray(side.collections[0].get_offsets()))) == sorted(map(tuple, places[:, 1:]))
    with pytest.raises(cp.Error, match="expected x, y or z"):
        plot.structure(ball, axis="w")
    file = tmp_path / "a.xyz"
    file.write_text('2\nLattice="4 0 0 0 4 0 0 0 4"\nNa 0 0 0\nCl 2 2 2\n')
    axis = plot.draw(str(file)).axes[0]
    assert len(axis.collections[0].get_offsets()) == 2 and axis.get_xlim()[1] > 4  # with the cell


def test_axes_for_curves_of_ones_own():
    figure, axis = plot.subplots()
    axis.plot([1, 2], [3, 4])
    axis.plot([1, 2], [4, 3])
    assert [line.get_color() for line in axis.lines] == list(_style.PALETTE[:2]) and axis.spines["top"].get_linewidth() == 0.6
    figure, axes = plot.subplots(2, 3, sharex=True)
    assert axes.shape == (2, 3) and len(figure.axes) == 6


def test_names_of_species_terms_and_units():
    assert _style.species_text("Fe3+") == "Fe³⁺" and _style.species_text("Cl-") == "Cl⁻" and _style.species_text("Rn") == "Rn"
    assert _style.spinor_text("6p3/2") == r"$6\mathrm{p}_{3/2}$" and _style.term_text("4Po", 3) == r"$^{4}\mathrm{P}_{3/2}^{\mathrm{o}}$"
    assert _style.label("$q$", "1/angstrom") == "$q$ [Å⁻¹]" and _style.label("$Z$", "1") == "$Z$"


def test_results_and_records_plot_themselves(neon, made, tmp_path):
    assert neon.plot().axes[0].get_ylabel() == plot.density(neon).axes[0].get_ylabel()
    assert len(neon.plot("spinors", labels=["1s1/2"]).axes[0].lines) == 1
    assert len(neon.plot("form-factor").axes) == 1
    for kind in ("distribution", "image", "madelung", "shape", "slater", "structure", "trends"):
        record = made[kind][0]
        assert axis_labels(record.plot()) == axis_labels(drawn(made, kind))
    assert made["chain"][0].plot().axes and made["search"][0].plot().axes
    with pytest.raises(cp.Error, match="no picture of the operation 'basis_show'"):
        cp.basis_show("He").plot()
    with pytest.raises(cp.Error, match="expected audit"):
        neon.plot("nothing")


def test_names_of_the_module():
    assert cp.plot is plot and "Any" not in plot.__all__ and all(callable(getattr(plot, name)) for name in plot.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        cp.nothing


def test_unbound_is_said():
    with pytest.warns(cp.ProphetWarning):
        unbound = cp.Atom("O", charge=-2).energy(error_estimate=False)
    assert unbound.status == "unbound"
    texts = [text.get_text() for text in plot.form_factor([unbound]).axes[0].get_legend().get_texts()]
    assert texts == ["O²⁻ (unbound)"]


def test_pictures_of_the_documents_are_small():
    pictures = list((Path(__file__).resolve().parents[3] / "docs/pictures").glob("*.png"))
    assert len(pictures) >= 10 and [p.name for p in pictures if p.stat().st_size > 80_000] == []


def test_small_files(neon, tmp_path):
    plain, small = tmp_path / "a.png", tmp_path / "b.png"
    figure = plot.density(neon)
    figure.savefig(plain)
    plot.save(figure, small)
    from PIL import Image
    assert small.stat().st_size < 0.6 * plain.stat().st_size
    pixels = [np.asarray(Image.open(file).convert("RGB"), dtype=float) for file in (plain, small)]
    assert np.abs(pixels[0] - pixels[1]).mean() < 1.0  # of 255
