"""Pictures: that they are drawn, with units at their axes."""
import json

import pytest

import cudaprophet as cp

pytest.importorskip("matplotlib")
from cudaprophet import plot  # noqa: E402
from cudaprophet.__main__ import main  # noqa: E402


def labels(figure):
    return [text for axis in figure.axes for text in (axis.get_xlabel(), axis.get_ylabel()) if text]


def test_pictures_have_units(neon):
    for figure in (plot.spinors(neon), plot.spinors(neon, ["1s1/2"]), plot.density(neon), plot.density([neon, neon])):
        assert any("bohr" in text for text in labels(figure))
    assert "iteration" in labels(plot.convergence(neon))
    assert any("electrons" in text for text in labels(plot.form_factor(neon)))
    assert plot.outermost(neon) == ["2s1/2", "2p1/2", "2p3/2"]


def test_exponents():
    assert any("bohr" in text for text in labels(plot.exponents("prophet-1", [2, 10, 86])))
    with pytest.raises(cp.Error, match="none of these elements"):
        plot.exponents("nothing")
    assert plot.exponents(cp.basis("Rn"))._suptitle.get_text().startswith("Exponents of Rn")


def test_names_of_the_module():
    assert cp.plot is plot and "Any" not in plot.__all__ and all(callable(getattr(plot, name)) for name in plot.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        cp.nothing


def test_unbound_is_said():
    with pytest.warns(cp.ProphetWarning):
        unbound = cp.Atom("O", charge=-2).energy(error_estimate=False)
    assert unbound.status == "unbound"
    figure = plot.form_factor([unbound])
    assert any("(unbound)" in text.get_text() for text in figure.axes[0].get_legend().get_texts())


ROW = {"element": "He", "Z": 2, "energy": -2.86, "minus_limit": 1e-5, "prolapse": 0.0, "symmetries":
       [{"l": "s", "error": 1e-5, "lack": 1e-5, "prolapse": 0.0}], "remarks": []}


def test_audits(tmp_path, capsys):
    below = {**ROW, "element": "Li", "Z": 3, "minus_limit": -1e-6, "prolapse": 2e-6,
             "remarks": [{"kind": "error_outlier", "list": "s", "text": "s: lacks"}]}
    nothing = {**ROW, "element": "Be", "Z": 4, "energy": None, "minus_limit": None}
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"audit_version": 1, "sets": [{"name": "mine", "file": "m.nw", "rows": [ROW, below, nothing]}]}))
    figure = plot.audit(str(file))
    assert any("hartree" in text for text in labels(figure))
    assert sorted(x for line in figure.axes[0].lines for x in line.get_xdata()) == [2.0, 3.0, 3.0]  # a ring around Li
    assert [line.get_label() for line in figure.axes[1].lines][:1] == ["s"] and "f" not in [line.get_label() for line in figure.axes[1].lines]
    file.write_text(json.dumps({"audit_version": 1, "sets": [{"name": name, "file": "m.nw", "rows": [ROW]} for name in ("a", "b")]}))
    assert plot.audit(str(file)).axes[1].get_title(loc="left") == "a alone"
    table = tmp_path / "a.csv"
    table.write_text("element,energy,minus_limit,prolapse,error_s,error_p,error_d,error_f,prolapse_s,prolapse_p,prolapse_d,"
                     "prolapse_f,Z,set,remarks\nHe,-2.86,1e-05,0,1e-05,,,,0,,,,2,mine,\n")
    assert main(["plot", "audit", str(table), "--out", str(tmp_path / "a.svg")]) == 0
    table.write_text("a,b\n1,2\n")
    assert main(["plot", "audit", str(table), "--out", str(tmp_path / "b.svg")]) == 2
    assert "no audit" in capsys.readouterr().err


@pytest.mark.parametrize("suffix, start", [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_from_the_shell(tmp_path, suffix, start, capsys):
    out = tmp_path / ("a." + suffix)
    assert main(["plot", "density", "Fe3+", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(start) and out.stat().st_size > 10000
    assert capsys.readouterr().out == f"{out}\n"


@pytest.mark.parametrize("words, text", [
    (["density", "Xx3+"], "Xx3+"),
    (["density"], "say which atom"),
    (["spinors", "He", "--spinor", "9s1/2"], "there is no occupied spinor '9s1/2'"),
    (["density", "He", "--out", "/nowhere/a.png"], "/nowhere/a.png"),
])
def test_what_is_wrong(words, text, capsys):
    assert main(["plot", *words]) == 2
    assert text in capsys.readouterr().err


def test_of_a_file(neon, tmp_path, capsys):
    neon.save(tmp_path / "ne.h5")
    assert main(["plot", "density", str(tmp_path / "ne.h5"), "--out", str(tmp_path / "a.svg")]) == 0
