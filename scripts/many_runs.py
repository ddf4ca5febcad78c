#!/usr/bin/env python3
"""How fast many runs are scored: makes 100,000 (or so many) of about ten calls in a temporary folder,
scores them with and without distances, and prints time, peak memory and runs per second of each whole
process, beside a program that only reads every line into a JSON value.

usage: many_runs.py [RUNS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 3


def measure(command):
    """The median time in seconds, and the most memory in megabytes."""
    times, peaks = [], []
    for _ in range(REPEATS):
        begun = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        times.append(time.monotonic() - begun)
        peaks.append(usage.ru_maxrss / 1000)
        if status:
            sys.exit(f"{command} failed: {status}")
    return statistics.median(times), max(peaks)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    os.chdir(ROOT)
    subprocess.run(["cargo", "build", "--quiet", "--release", "--bins", "--example", "many_runs"], check=True)
    refract, many_runs = "target/release/refract", "target/release/examples/many_runs"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([many_runs, str(runs), folder], check=True)
        commands = {
            "reads JSON": [many_runs, "--read", folder],
            "scores without distances": [refract, "score", "--no-distances", "--by", "role", folder],
            "scores with distances": [refract, "score", "--by", "role", folder],
        }
        base = None
        print(f"on {os.cpu_count()} cores, median of {REPEATS}")
        for what, command in commands.items():
            seconds, peak = measure(command)
            base = base or seconds
            print(f"{seconds:8.2f} s {peak:6.0f} MB {runs / seconds:8.0f} runs/s {seconds / base:6.2f} x  {what}")


main()
