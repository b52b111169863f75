"""python -m cudaprophet mcp, as a client of the library mcp sees it."""
import json
import os
import subprocess
import sys

import pytest

import cudaprophet as cp
from cudaprophet import _mcp

mcp = pytest.importorskip("mcp", reason="needs the library mcp, which tools/python-environment installs from Python 3.10 on")
if not hasattr(mcp, "Client"):
    pytest.skip("needs the library mcp, 2.0 or newer", allow_module_level=True)
anyio = pytest.importorskip("anyio")


def talk(conversation, server=None):
    """What `conversation` returns, which talks to the server in this process."""
    async def main():
        async with mcp.Client(server or _mcp.server()) as client:
            return await conversation(client)
    return anyio.run(main)


def call(name, **arguments):
    return talk(lambda client: client.call_tool(name, arguments))


def test_a_tool_for_each_operation():
    async def listed(client):
        return (await client.list_tools()).tools
    tools = {tool.name: tool for tool in talk(listed)}
    tables = {table["name"]: table for table in _mcp.operations()}
    assert set(tools) == set(tables)
    for name, table in tables.items():
        properties = tools[name].input_schema["properties"]
        assert {s["name"] for s in table["settings"]} <= set(properties)
        assert ("device" in properties) == table["on_gpus"]
        assert tools[name].description == table["description"]
        for s in table["settings"]:
            assert s["documentation"] in properties[s["name"]]["description"]


def test_types_of_arguments():
    properties = {name: _mcp.schema(table)["properties"] for name, table in ((t["name"], t) for t in _mcp.operations())}
    assert properties["levels"]["vectors"]["type"] == "boolean"
    assert properties["correlation"]["lmax"]["type"] == "integer"
    assert properties["slater"]["scale"]["type"] == "number"
    assert set(properties["slater"]["unit"]["enum"]) == {"eV", "cm-1", "hartree"}
    assert "type" not in properties["levels"]["nucleus"]  # a number or a name


def test_the_digits_of_the_package():
    answer = call("energy", atom="Ne")
    assert not answer.is_error
    assert answer.structured_content["energy"] == cp.energy("Ne").to_dict()["energy"]
    assert f"{answer.structured_content['energy']:.10f}" in answer.content[0].text


def test_levels_as_text_and_data():
    answer = call("levels", atom="C")
    assert [level["J"] for level in answer.structured_content["levels"]] == [0, 1, 2, 2, 0]
    assert "2p2 3P" in answer.content[0].text
    assert answer.structured_content["operation"] == "levels"


def test_long_tables_are_shortened_and_a_file_has_all(tmp_path):
    file = tmp_path / "fe.json"
    answer = call("lines", atom="Fe+", configs="3d6 4s | 3d6 4p", multipoles="E1", json=str(file))
    rows = answer.structured_content["shortened"]["of"]["lines"]
    assert rows > _mcp.ROWS == len(answer.structured_content["lines"])
    assert len(json.loads(file.read_text())["lines"]) == rows
    assert os.listdir(tmp_path) == ["fe.json"]


def test_warnings_are_told():
    answer = call("energy", atom="Fe", config="[Ar] 3d7 4s2")
    assert [w["id"] for w in answer.structured_content["warnings"]] == ["charge_from_configuration"]
    assert "charge_from_configuration" in answer.content[0].text


@pytest.mark.parametrize("name, arguments, told", [
    ("energy", {"atom": "Xx"}, "Xx"),
    ("levels", {"atom": "C", "confg": "2p2"}, "confg"),
    ("energy", {"atom": "C", "threads": 0}, "threads"),
    ("powder", {"file": "/nowhere.xyz", "q": [1.0]}, "/nowhere.xyz"),
    ("energy", {"atom": "Ne", "json": "/nowhere/ne.json"}, "/nowhere"),
    ("nothing", {}, "there is no tool 'nothing'"),
])
def test_mistakes_are_answers(name, arguments, told):
    answer = call(name, **arguments)
    assert answer.is_error and told in answer.content[0].text


def test_the_program_over_its_standard_streams():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    program = mcp.StdioServerParameters(command=sys.executable, args=["-m", "cudaprophet", "mcp"], env=environment)

    async def conversation(client):
        return await client.call_tool("limit", {"atom": "He", "hamiltonian": "nonrel", "nucleus": "point"})
    answer = talk(conversation, program)
    assert answer.structured_content["energy"] == pytest.approx(-2.861679995612, abs=1e-11)


def test_without_the_library():
    code = "import sys; sys.modules['mcp'] = None; from cudaprophet.__main__ import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert done.returncode == 2 and "pip install 'cudaprophet[mcp]'" in done.stderr and done.stdout == ""
