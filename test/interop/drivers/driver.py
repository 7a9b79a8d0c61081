"""What the drivers in Python share. A driver runs in the virtual environment of its client, outside of the project."""

import asyncio
import inspect
import json
import os
import signal
import sys

# Set by run.ts; also read by the OpenAI SDK itself.
BASE_URL = os.environ["OPENAI_BASE_URL"]
API_KEY = os.environ["OPENAI_API_KEY"]

MODELS = ["openai/gpt-5.5", "anthropic/claude-opus-5", "google/gemini-3.5-flash"]

# A question for the sandbox, and what a tool that was called with it says.
WEATHER_QUESTION = 'The weather, please: sandbox call get_weather {"city": "Oslo"}'
WEATHER_ANSWER = "Four degrees and drizzle"
TIME_QUESTION = 'And the time: sandbox call get_time {"city": "Oslo"}'
TIME_ANSWER = "Half past six"


def get_weather(city: str) -> str:
    """Gives the weather."""
    return WEATHER_ANSWER


def get_time(city: str) -> str:
    """Gives the time."""
    return TIME_ANSWER


TIMEOUT_SECONDS = 60


def operation(name, run, models=None):
    """Runs one operation of the client for each model, and reports what came of it."""
    for model in models or MODELS:
        failure = None
        signal.alarm(TIMEOUT_SECONDS)
        try:
            result = run(model)
            if inspect.iscoroutine(result):
                asyncio.run(result)
        except BaseException as thrown:
            failure = f"{type(thrown).__name__}: {thrown}"
        finally:
            signal.alarm(0)
        line = {"operation": name, "model": model, "ok": failure is None, "detail": failure or ""}
        print("RESULT " + json.dumps(line), flush=True)


def _on_alarm(_signal, _frame):
    raise TimeoutError(f"There was no answer in {TIMEOUT_SECONDS} s.")


signal.signal(signal.SIGALRM, _on_alarm)


def expect_in(part, text):
    """Fails where a text is not in another."""
    if part not in str(text):
        raise AssertionError(f'"{part}" is not in: {str(text)[:300]}')


def command(*words, timeout=TIMEOUT_SECONDS, **options):
    """Runs a command of the client, and returns what it printed."""
    import subprocess

    path = os.path.join(os.path.dirname(sys.executable), words[0])
    done = subprocess.run([path, *words[1:]], capture_output=True, text=True, timeout=timeout, **options)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
    return done.stdout
