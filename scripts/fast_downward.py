#!/usr/bin/env python3
"""Holds every plan of the benchmark against Fast Downward: for each entry, role and tool set the same
cost, and Fast Downward's plan followed by our executor reaches the goal. Prints the disagreements, and
how long both take as whole processes; exits with 1 if there is a disagreement.

usage: fast_downward.py REFRACT    (in an environment with the package up-fast-downward)
"""

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Found, not imported: its Python interface asks for more packages than the planner does.
PACKAGE = importlib.util.find_spec("up_fast_downward").submodule_search_locations[0]
DRIVER = Path(PACKAGE) / "downward" / "fast-downward.py"
ROOT = Path(__file__).resolve().parent.parent


def tasks():
    for file in sorted((ROOT / "problems").glob("*.json")):
        problem = json.loads(file.read_text())
        for role in problem["perspectives"]:
            for toolset in problem["toolsets"]:
                yield problem["id"], role, toolset


def compare(refract, task):
    """The disagreement, if there is one, and the seconds that both took."""
    problem, role, toolset = task
    who = [problem, "--role", role, "--toolset", toolset]
    with tempfile.TemporaryDirectory() as folder:
        export = [refract, "export", "pddl", *who, "-o", folder, "--format", "json"]
        exported = json.loads(subprocess.run(export, check=True, capture_output=True).stdout)
        begun = time.monotonic()
        ours = subprocess.run([refract, "plan", *who, "--format", "json"], capture_output=True)
        our_time = time.monotonic() - begun
        cost = json.loads(ours.stdout)["cost"]
        search = "astar(blind())" if exported["conditional"] else "astar(lmcut())"
        driver = [sys.executable, DRIVER, "--plan-file", "plan.txt", "domain.pddl", "problem.pddl", "--search", search]
        begun = time.monotonic()
        theirs = subprocess.run(driver, cwd=folder, capture_output=True, text=True)
        their_time = time.monotonic() - begun
        plan = Path(folder) / "plan.txt"
        if theirs.returncode == 12 or not plan.exists():
            why = f"exit {theirs.returncode}: {theirs.stdout[-300:]}{theirs.stderr[-300:]}"
            # 11 and 12 say that no plan exists; anything else that the file was refused.
            agrees = theirs.returncode in (11, 12) and cost is None
            return (None if agrees else f"{task}: ours {cost}, theirs {why}"), our_time, their_time
        length = sum(line.startswith("(") for line in plan.read_text().splitlines()) - exported["finishing"]
        if length != cost:
            return f"{task}: ours {cost}, theirs {length}", our_time, their_time
        followed = subprocess.run(
            [refract, "replay", "--plan", str(plan), *who, "--format", "json"], capture_output=True
        )
        goal = json.loads(followed.stdout)["steps"][-1]["goal"]
        if goal["held"] != goal["of"]:
            return f"{task}: their plan reaches {goal} of the goal", our_time, their_time
        return None, our_time, their_time


def main():
    refract = str(Path(sys.argv[1]).resolve())
    os.chdir(ROOT)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda task: compare(refract, task), tasks()))
    disagreements = [disagreement for disagreement, _, _ in results if disagreement]
    for disagreement in disagreements:
        print(disagreement)
    ours, theirs = (statistics.median(times) for times in zip(*[times for _, *times in results]))
    print(f"{len(results)} tasks, {len(disagreements)} disagreements")
    print(f"median of whole processes: {ours * 1e3:.1f} ms ours, {theirs * 1e3:.0f} ms theirs, {theirs / ours:.0f} x")
    sys.exit(1 if disagreements or not results else 0)


main()
