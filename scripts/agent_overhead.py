#!/usr/bin/env python3
"""What the runner itself costs per call of a model, and what 64 episodes at a time hold in memory.

A stub in another process answers every request with one tool call. One episode after the other is played
against it; then a plain client sends the very same bytes again, on one connection, to the same stub. The
difference per call is the runner's own: making the request, reading the answer, executing, writing the
log. For the memory, 64 episodes at a time wait for answers that take 100 ms each.

usage: agent_overhead.py REFRACT
exits with 1 if a call costs more than 1 ms or 64 episodes hold more than 100 MB.
"""

import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BUDGET = 40
EPISODES = 25
PARALLEL = 64
SLOW = 0.1  # seconds that an answer takes when memory is measured
LIMIT_MS, LIMIT_MB = 1.0, 100.0

CALL = {"id": "call_1", "type": "function", "function": {"name": "look_at_asset", "arguments": '{"asset":"fan-3"}'}}
ANSWER = json.dumps({
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": "I look.", "tool_calls": [CALL]}}],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020},
}).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)


def stub(ready, wait, record):
    """Serves until it is ended. The bytes of requests go to a file, each after its length."""

    async def serve(reader, writer):
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                [length] = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(length)
                if record is not None:
                    record.write(b"%d\n" % (len(head) + length) + head + body)
                    record.flush()
                if wait:
                    await asyncio.sleep(wait)
                writer.write(HEAD + ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 24)
        ready.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def serving(wait=0.0, record=None):
    ready = multiprocessing.Queue()
    server = multiprocessing.Process(target=stub, args=(ready, wait, record), daemon=True)
    server.start()
    return server, ready.get()


def play(refract, port, episodes, parallel):
    """Seconds, seconds of processor time, and the most memory in MB."""
    with tempfile.TemporaryDirectory() as out:
        command = [refract, "run", "--agent", "openai:stub", "--base-url", f"http://127.0.0.1:{port}/v1"]
        command += ["--problems", "im-001", "--roles", "operator", "--toolsets", "wide", "--budget", str(BUDGET)]
        command += ["--repeat", str(episodes), "--parallel", str(parallel), "--out", out]
        began = time.perf_counter()
        runner = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(runner.pid, 0)
        took = time.perf_counter() - began
        logs = [name for name in os.listdir(out) if name.endswith(".jsonl")]
        if status != 0 or len(logs) != episodes:
            sys.exit(f"status {status}, {len(logs)} logs of {episodes}")
        return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def requests(file):
    file.seek(0)
    found = []
    while length := file.readline():
        found.append(file.read(int(length)))
    return found


def plain(port, sent):
    """Seconds that the same requests take without a runner."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        began = time.perf_counter()
        for request in sent:
            connection.sendall(request)
            left = len(HEAD) + len(ANSWER)
            while left:
                left -= len(connection.recv(left))
        return time.perf_counter() - began


def main():
    refract = sys.argv[1]
    with tempfile.TemporaryFile() as file:
        server, port = serving(record=file)
        empty = play(refract, port, 1, 1)[0]
        server.terminate()
        file.seek(0)
        file.truncate()
        server, port = serving(record=file)
        play(refract, port, EPISODES, 1)
        sent = requests(file)
        server.terminate()
    server, port = serving()
    calls = EPISODES * BUDGET
    assert len(sent) == calls, (len(sent), calls)
    # By turns, so that whatever else the machine does meets both.
    runner, busy, client = [], [], []
    for _ in range(5):
        took, worked, _ = play(refract, port, EPISODES, 1)
        runner.append(took / calls * 1000)
        busy.append(worked / calls * 1000)
        client.append(plain(port, sent) / calls * 1000)
    server.terminate()
    own = statistics.median(a - b for a, b in zip(runner, client))
    size = sum(map(len, sent)) / calls / 1024
    print(f"{calls} calls, requests of {size:.1f} KB on average, one after the other:")
    print(f"  with the runner  {statistics.median(runner):.3f} ms a call, its start included (one episode alone: {empty * 1000:.0f} ms)")
    print(f"  plain client     {statistics.median(client):.3f} ms a call")
    print(f"  runner's own     {own:.3f} ms a call (at most {LIMIT_MS}); of the processor {statistics.median(busy):.3f} ms")
    server, port = serving(wait=SLOW)
    took, _, memory = play(refract, port, PARALLEL, PARALLEL)
    server.terminate()
    print(f"{PARALLEL} episodes at a time: {took:.1f} s of at least {BUDGET * SLOW:.1f} s, {memory:.1f} MB (at most {LIMIT_MB:.0f})")
    sys.exit(own > LIMIT_MS or memory > LIMIT_MB)


if __name__ == "__main__":
    main()
