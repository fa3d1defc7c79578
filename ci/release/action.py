#!/usr/bin/env python3
"""Runs the steps of action.yml as GitHub does for `shell: bash`: action.py RELEASES CHECKOUT TEMP."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

releases, checkout, temp = sys.argv[1:]
action = yaml.safe_load(Path("action.yml").read_text("utf-8"))
values = {f"inputs.{name}": given["default"] for name, given in action["inputs"].items()}
values |= {"inputs.releases": releases, "github.server_url": "https://example.org", "github.action_repository": "a/b"}

path = Path(temp, "github_path")
path.touch()
# A command that is installed already would be used.
folders = [folder for folder in os.environ["PATH"].split(":") if not Path(folder, "utfkit").exists()]
for step in action["runs"]["steps"]:
    given = {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda use: values[use[1]], text) for name, text in step["env"].items()}
    environment = {
        **os.environ,
        **given,
        "PATH": ":".join(path.read_text().split() + folders),
        "GITHUB_ACTION_PATH": os.getcwd(),
        "GITHUB_PATH": str(path),
        "RUNNER_TEMP": temp,
        "RUNNER_OS": "Linux",
        "RUNNER_ARCH": "X64",
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    status = subprocess.run(command, cwd=checkout, env=environment).returncode
    if status:
        sys.exit(status)
