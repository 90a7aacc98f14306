"""The HTML checker: html-validate of widgets/node_modules."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = Path(__file__).with_name("html_rules.json")
"""What differs from the validator's own rules, and why.

`time`: its times have no microseconds, which the validator doesn't look at.
`aria-label-misuse`: a list may have a name, as a table has.
`no-implicit-button-type`: the button of a form submits it, as its type says by default.
`no-redundant-role`: a table that is shown as lines loses its native roles.
"""
VALIDATOR = Path(__file__).with_name("validate.mjs")


def faults_of(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """Return the rules that each file breaks, each with where and how."""
    node = subprocess.run([ROOT / "widgets/node-path.sh"], capture_output=True, check=True)
    path = f"{node.stdout.decode().strip()}:{os.environ['PATH']}"
    command = ["node", VALIDATOR, RULES, folder]
    # A file, since Node ends before a pipe has taken a long text.
    report = folder.with_suffix(".json")
    with report.open("w") as output:
        run = subprocess.run(
            command, stdout=output, stderr=subprocess.PIPE, env=os.environ | {"PATH": path}
        )
    assert run.returncode == 0, run.stderr.decode()
    return {
        file["name"]: {
            (fault["ruleId"], f"{fault['selector']}: {fault['message']}")
            for fault in file["messages"]
        }
        for file in json.loads(report.read_text())
        if file["messages"]
    }
