"""mini-swe-agent: a task of two commands, over LiteLLM. It streams nothing, and its answers are calls of one tool."""

import os
import pathlib
import tempfile

from driver import API_KEY, BASE_URL, command, expect_in, operation

TASK = """sandbox call bash {"command": "echo zebra > note.txt"},
then sandbox call bash {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat note.txt"}"""


def work(model):
    directory = tempfile.mkdtemp(dir=os.environ["HOME"])
    env = {**os.environ, "OPENAI_API_BASE": BASE_URL, "OPENAI_API_KEY": API_KEY}
    quiet = {"MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors", "MSWEA_SILENT_STARTUP": "1"}
    words = ("mini", "-m", f"openai/{model}", "-y", "--exit-immediately", "-t", TASK, "-o", "trajectory.json")
    command(*words, cwd=directory, env={**env, **quiet})
    expect_in("zebra", pathlib.Path(directory, "note.txt").read_text())
    expect_in("Submitted", pathlib.Path(directory, "trajectory.json").read_text())


operation("tools", work)
