"""aider: a question, whole and in pieces. It has no tools: it reads edits from the text of the answer."""

import os

from driver import API_KEY, BASE_URL, command, expect_in, operation


def ask(model, *words, provider="openai"):
    quiet = ("--no-git", "--no-check-update", "--no-show-model-warnings", "--no-show-release-notes", "--yes-always")
    said = ("--chat-mode", "ask", "--message", "Say zebra.", "--no-pretty", "--analytics-disable")
    env = {**os.environ, "OPENAI_API_BASE": BASE_URL, "OPENAI_API_KEY": API_KEY}
    printed = command("aider", "--model", f"{provider}/{model}", *quiet, *said, *words, env=env, timeout=120)
    expect_in("zebra", printed)


operation("chat", lambda model: ask(model, "--no-stream"))
operation("stream", lambda model: ask(model, "--stream"))
# It sends a temperature, which Claude's newest models refuse: a request in their own protocol is not adapted.
MESSAGES = ["openai/gpt-5.5", "anthropic/claude-haiku-4-5", "google/gemini-3.5-flash"]
operation("extras", lambda model: ask(model, "--stream", provider="anthropic"), MESSAGES)
