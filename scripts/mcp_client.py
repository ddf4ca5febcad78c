#!/usr/bin/env python3
"""Acts through `refract mcp` with a client that is not ours, the official Python SDK: over standard input
and output, and over HTTP. Exits with 1 at the first thing that is not as it should be.

usage: mcp_client.py REFRACT    (in an environment with the package mcp)
"""

import asyncio
import http.client
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

ROOT = Path(__file__).resolve().parent.parent
ENTRY, ROLE = "im-001", "technician"
ME = Implementation(name="checker", version="1.2")


def same(what, is_, should):
    if is_ != should:
        sys.exit(f"{what}: {is_!r}, not {should!r}")


def refract(*args):
    """What a command prints as JSON."""
    done = subprocess.run([REFRACT, *args, "--root", ROOT, "--format", "json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{args}: {done.stderr}")
    return json.loads(done.stdout)


def command(role, out, *more):
    return ["mcp", "--root", str(ROOT), "--problem", ENTRY, "--role", role, "--out", str(out), *more]


def events(log):
    return [json.loads(line) for line in log.read_text().splitlines()]


def steps(log):
    """Each call with whether it fired and what was read back."""
    calls, results = ({e["id" if kind == "call" else "call"]: e for e in events(log) if e["type"] == kind} for kind in ("call", "result"))
    return [(call["tool"], call["args"], results[id]["fired"], results[id]["observation"]) for id, call in calls.items()]


def text(result):
    [content] = result.content
    return content.text


async def whole_plan(client, plan, told):
    """Looks at everything that is offered, then follows a plan and finishes; what was read back."""
    tools = (await client.list_tools()).tools
    same("tools", [tool.name for tool in tools], [tool["name"] for tool in told["tools"]] + ["finish"])
    for tool, offered in zip(tools, told["tools"]):
        same(f"the doc of {tool.name}", tool.description, offered["doc"])
        schema = tool.input_schema
        names = [arg["name"] for arg in offered["args"]]
        same(f"arguments of {tool.name}", (list(schema["properties"]), schema["required"], schema["additionalProperties"]), (names, names, False))
        for arg in offered["args"]:
            same(f"choices of {tool.name}", schema["properties"][arg["name"]].get("enum", []), arg["choices"])
    [prompt] = (await client.list_prompts()).prompts
    messages = (await client.get_prompt(prompt.name)).messages
    task = "\n\n".join(message.content.text for message in messages)
    for part in (told["persona"], told["query"], *(name for group in told["objects"] for name in group["names"]), *told["given"]):
        same(f"'{part}' in the prompt", part in task, True)
    [resource] = (await client.list_resources()).resources
    same("resource", str(resource.uri), "refract://task")
    [content] = (await client.read_resource(resource.uri)).contents
    same("resource", content.text, task)

    read = [await client.call_tool("no_such_tool", {"x": [1, None]})]
    same("an unknown tool", (read[0].is_error, text(read[0])), (True, "There is no tool 'no_such_tool'."))
    for call in plan:
        read.append(await client.call_tool(call["tool"], call["args"]))
        same(f"{call}", read[-1].is_error, False)
    finished = await client.call_tool("finish", {})
    same("finish", finished.is_error, False)
    late = await client.call_tool(plan[0]["tool"], plan[0]["args"])
    same("a call after the end", (late.is_error, "ended" in text(late)), (True, True))
    return [text(result) for result in read]


def judge(log, plan, read, agent):
    """Holds a log of `whole_plan` against what the client did and read."""
    header = events(log)[0]
    same("header", (header["agent"], header["problem"], header["role"]), ({"name": agent}, ENTRY, ROLE))
    same("the end", events(log)[-1], {"type": "end", "reason": "finished"})
    calls = [("no_such_tool", {"x": [1, None]}), *((call["tool"], call["args"]) for call in plan)]
    same("the log", steps(log), [(*call, n > 0, words) for n, (call, words) in enumerate(zip(calls, read))])
    replay = refract("replay", log)
    same("replay", (replay["diverged"], replay["world"], replay["damage"]), (False, "same", []))
    [run] = refract("score", log)["runs"]
    same("score", (run["solved"], run["calls"]), (True, len(plan) + 1))


async def over_stdio(folder, plan, told):
    for mode in ("auto", "legacy"):
        out = folder / mode
        out.mkdir()
        server = StdioServerParameters(command=REFRACT, args=command(ROLE, out))
        async with Client(server, client_info=ME, mode=mode) as client:
            read = await whole_plan(client, plan, told)
        [log] = out.iterdir()
        judge(log, plan, read, "checker/1.2")
        print(f"stdio, {client_version(mode)}: solved in {len(plan)} calls")


def client_version(mode):
    return "the newest protocol" if mode == "auto" else "with a handshake"


def garbage_on_stdio(folder):
    """Whatever comes that is no message is survived, and only the protocol stands on standard output."""
    request = lambda id, method, **params: json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()
    hello = request(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "raw", "version": "0"})
    lines = [
        b"\xff\xfe\x00", b"hello", b"", b"{", b"[1, 2]", b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 9, "result": {}}', hello, b"\x1b[2J{]", b"[" * 5000, b"x" * 3_000_000,
        request(2, "tools/call", name=["look"], arguments="{}"), request(3, "tools/call", name="finish\x1b[2J", arguments={}), request(4, "tools/call", arguments={}),
    ]
    log = folder / "garbage.jsonl"
    server = [REFRACT, *command(ROLE, log)]
    done = subprocess.run(server, input=b"\n".join(lines) + b"\n", capture_output=True, timeout=60)
    same("exit status after garbage", done.returncode, 0)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    read = {answer["id"]: answer["result"] for answer in answers if "result" in answer}
    same("what was answered", sorted(read), [1, 2, 3, 4])
    same("bad calls", [read[id]["isError"] for id in (2, 3, 4)], [True] * 3)
    same("bad calls in the log", [step[:3] for step in steps(log)], [(["look"], "{}", False), ("finish\x1b[2J", {}, False), (None, {}, False)])
    same("the end", events(log)[-1]["reason"], "stopped")
    print("stdio: garbage is survived")


async def over_http(folder, plan, told):
    out = folder / "http"
    out.mkdir()
    server = subprocess.Popen([REFRACT, *command(ROLE, out, "--http", "0")], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stderr.readline().split()[-1]
        async with Client(url, client_info=ME) as one, Client(url, client_info=Implementation(name="other", version="2")) as two:
            # The other's state stays where it is while the first goes on.
            [call, later] = plan[0], plan[1]
            first = await two.call_tool(later["tool"], later["args"])
            same("a call out of turn", first.is_error, True)
            read = await whole_plan(one, plan, told)
            again = await two.call_tool(later["tool"], later["args"])
            same("the other's state", (text(first), first.is_error), (text(again), again.is_error))
            same("the other's first call", (await two.call_tool(call["tool"], call["args"])).is_error, False)
        logs = {events(log)[0]["agent"]["name"]: log for log in out.iterdir()}
        same("logs", sorted(logs), ["checker/1.2", "other/2"])
        judge(logs["checker/1.2"], plan, read, "checker/1.2")
        same("the other's log", [step[0] for step in steps(logs["other/2"])], [later["tool"], later["tool"], call["tool"]])
        same("the other's end", events(logs["other/2"])[-1], {"type": "end", "reason": "stopped"})
        print("http: two clients, two states, two logs")
        refusals(url)
        async with Client(url, client_info=Implementation(name="last", version="3"), mode="legacy") as last:
            same("a call", (await last.call_tool(call["tool"], call["args"])).is_error, False)
            server.send_signal(signal.SIGINT)
            same("exit status after an interrupt", server.wait(timeout=20), 0)
        [log] = [log for log in out.iterdir() if events(log)[0]["agent"]["name"] == "last/3"]
        same("the end after an interrupt", events(log)[-1], {"type": "end", "reason": "stopped"})
        same("standard output", server.stdout.read(), "")
        print("http: an interrupt ends the runs")
    finally:
        server.kill()


def refusals(url):
    address = url.split("/")[2]
    port = address.split(":")[1]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "web", "version": "0"}}})
    right = {"Host": address, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    def status(body, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
        connection.request("POST", "/mcp", body, right | headers)
        answer = connection.getresponse()
        session = answer.getheader("Mcp-Session-Id")
        connection.close()
        if session:
            connection.request("DELETE", "/mcp", headers=right | {"Mcp-Session-Id": session})
            connection.getresponse()
            connection.close()
        return answer.status

    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1:1", "127.0.0.1", f"127.0.0.1.evil.example:{port}"):
        same(f"Host {host}", status(body, Host=host), 403)
    for origin in ("http://evil.example", "null", f"https://localhost:{port}", "http://localhost:1", f"http://localhost.evil.example:{port}"):
        same(f"Origin {origin}", status(body, Origin=origin), 403)
    same("a local page", status(body, Origin=f"http://localhost:{port}", Host=f"localhost:{port}"), 200)
    same("a request that is too long", status(" " * 2_000_000 + body), 413)
    same("garbage", status("{") in (400, 415), True)
    print("http: hosts, origins and long requests are refused")


async def main():
    plan = refract("plan", ENTRY, "--role", ROLE)["plan"]
    told = refract("prompt", ENTRY, "--role", ROLE)
    with tempfile.TemporaryDirectory() as folder:
        await over_stdio(Path(folder), plan, told)
        garbage_on_stdio(Path(folder))
        await over_http(Path(folder), plan, told)


if __name__ == "__main__":
    [REFRACT] = sys.argv[1:]
    asyncio.run(main())
