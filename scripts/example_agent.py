#!/usr/bin/env python3
"""The smallest agent there is, for `refract run --agent command:scripts/example_agent.py`.

It looks at everything that the first tool can look at, then says that it is done. A real one would ask
a model instead. The lines that it reads and writes are described in docs/agents.md.
"""

import json
import sys


def answer(**turn):
    print(json.dumps(turn), flush=True)


def main():
    plan = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            tool = message["tools"][0]
            name, argument = next(iter(tool["parameters"]["properties"].items()))
            plan = [{"tool": tool["name"], "args": {name: choice}} for choice in argument.get("enum", [])]
            answer(reasoning=f"{len(plan)} things to look at.", calls=plan[: message["budget"]])
        else:
            answer(say=" ".join(message["results"]), finish=True)


main()
