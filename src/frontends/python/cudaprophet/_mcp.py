"""python -m cudaprophet mcp: the operations as tools of the Model Context Protocol, for assistants that call programs.

The tools, their arguments and their descriptions follow from the tables of the core, as the functions of the package do.
"""
from __future__ import annotations

import json
import os
import tempfile
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

from . import __version__, _core
from ._operations import Record, run

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolResult

ROWS = 200  # of a table in an answer; a file has all
LINES = 300  # of a report in an answer

_INSTRUCTIONS = f"""Relativistic electronic structure of atoms and ions: energies, levels, lines, basis sets, form factors.
Energies are in hartree and lengths in bohr unless a name says otherwise. Every result states its error, its accuracy and its warnings:
tell them with the number. An energy of an open shell is an average of its configuration; 'levels' has levels. Answers have at most
{ROWS} rows of a table; 'json' names a file for the whole result. Start with the fewest arguments, which have good defaults."""


def operations() -> List[Dict[str, Any]]:
    """The tables of the core."""
    return [json.loads(table) for table in _core.operations()]


def _property(setting: Dict[str, Any]) -> Dict[str, Any]:
    """The JSON Schema of an argument. What the core reads in several ways has no type; the core checks all values."""
    text = f"{setting['documentation']}; {setting['expected']}"
    if setting["default"]:
        text += f" (default: {setting['default']})"
    schema: Dict[str, Any] = {"description": text}
    if setting["choices"]:
        schema["enum"] = setting["choices"]
    elif setting["type"] != "any":
        schema["type"] = setting["type"]
    return schema


def schema(table: Dict[str, Any]) -> Dict[str, Any]:
    """The JSON Schema of the arguments of an operation."""
    properties = {s["name"]: _property(s) for s in table["settings"]}
    if table["on_gpus"]:
        properties["device"] = {"description": "where to compute: 'auto', 'cpu', 'cuda' or 'cuda:0' (default: 'auto')", "type": "string"}
    properties["threads"] = {"description": "threads to use (default: all processors)", "type": "integer", "minimum": 1}
    properties["json"] = {"description": "write the whole result as JSON to this file", "type": "string"}
    return {"type": "object", "properties": properties, "required": [s["name"] for s in table["settings"] if s["required"]],
            "additionalProperties": False}


def shortened(value: Any, cut: Dict[str, int], name: str = "") -> Any:
    """The value with at most ROWS elements in each list; `cut` gets the number of all by the name of the list."""
    if isinstance(value, dict):
        return {key: shortened(inner, cut, f"{name}.{key}" if name else key) for key, inner in value.items()}
    if isinstance(value, list):
        if len(value) > ROWS:
            cut[name] = len(value)
        return [shortened(inner, cut, name) for inner in value[:ROWS]]
    return value


def answer(record: Record) -> Tuple[str, Dict[str, Any]]:
    """The report as a text and the result as data, both short enough to be read."""
    lines = str(record).rstrip().split("\n")
    if len(lines) > LINES:
        lines = [*lines[:LINES], f"... {len(lines) - LINES} more lines; json=FILE has everything"]
    lines += [f"warning ({w.id}): {w}" for w in record.warnings]
    cut: Dict[str, int] = {}
    data: Dict[str, Any] = shortened(record.to_dict(), cut)
    if cut:
        data["shortened"] = {"rows": ROWS, "of": cut}
    return "\n".join(lines), data


def _save(record: Record, file: str) -> None:
    """In one step: nobody finds half a file."""
    folder = os.path.dirname(os.path.abspath(file))
    handle, part = tempfile.mkstemp(dir=folder, prefix=".cudaprophet-", suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(record.to_dict(), stream, ensure_ascii=False)
        os.replace(part, file)
    except BaseException:
        os.unlink(part)
        raise


def compute(name: str, arguments: Dict[str, Any], progress: Optional[Callable[[int, int, str], None]] = None) -> Tuple[str, Dict[str, Any]]:
    """Runs an operation. Raises Error for a wrong request, with what is wrong with each argument."""
    values = dict(arguments)
    file, device, threads = values.pop("json", None), values.pop("device", "auto"), values.pop("threads", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the answer has them
        record = run(name, values, device=device, threads=threads, progress=progress)
    if file is not None:
        _save(record, file)
    return answer(record)


def server() -> "Server[Any]":
    """A server with a tool for each operation. Needs the library mcp."""
    import anyio
    from mcp import types
    from mcp.server.lowlevel import Server

    tables = {t["name"]: t for t in operations()}
    tools = [types.Tool(name=t["name"], title=t["summary"], description=t["description"], input_schema=schema(t),
                        annotations=types.ToolAnnotations(open_world_hint=False)) for t in tables.values()]

    async def list_tools(context: Any, parameters: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        if parameters.name not in tables:
            return _failure(f"there is no tool '{parameters.name}'; expected one of {', '.join(tables)}")
        told = time.monotonic()

        def heard(done: int, total: int, note: str) -> None:
            nonlocal told
            if time.monotonic() - told < 1:
                return
            told = time.monotonic()
            anyio.from_thread.run(context.session.report_progress, float(done), float(total) or None, note)

        try:
            text, data = await anyio.to_thread.run_sync(compute, parameters.name, parameters.arguments or {}, heard)
        except (_core.Error, OSError, ValueError, TypeError) as error:
            return _failure(str(error))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=data)

    return Server("cudaprophet", version=__version__, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)


def _failure(text: str) -> "CallToolResult":
    from mcp import types
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def serve() -> None:
    """Serves standard input and output until the client closes them. Raises Error where the library mcp is missing or too old."""
    try:
        import anyio
        from mcp import stdio_server
        program = server()
    except (ImportError, TypeError) as error:
        raise _core.Error(f"the server needs the library mcp, 2.0 or newer ({error}); pip install 'cudaprophet[mcp]'") from None

    async def main() -> None:
        async with stdio_server() as (read, write):
            await program.run(read, write, program.create_initialization_options())

    anyio.run(main)
