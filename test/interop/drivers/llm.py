"""The command `llm`, with a model of the user's own."""

import json
import os
import pathlib

from driver import (
    API_KEY,
    BASE_URL,
    MODELS,
    TIME_ANSWER,
    TIME_QUESTION,
    WEATHER_ANSWER,
    WEATHER_QUESTION,
    command,
    expect_in,
    operation,
)

folder = pathlib.Path(os.environ["HOME"], "llm")
folder.mkdir(exist_ok=True)
os.environ["LLM_USER_PATH"] = str(folder)
abilities = {"supports_tools": True, "supports_schema": True, "vision": True}
models = [
    {"model_id": model, "model_name": model, "api_base": BASE_URL, "api_key_name": "gateway", **abilities}
    for model in MODELS
]
# YAML takes JSON.
(folder / "extra-openai-models.yaml").write_text(json.dumps(models))
(folder / "keys.json").write_text(json.dumps({"gateway": API_KEY}))
functions = folder / "functions.py"
functions.write_text(f"""
def get_weather(city: str) -> str:
    "Gives the weather."
    return {WEATHER_ANSWER!r}

def get_time(city: str) -> str:
    "Gives the time."
    return {TIME_ANSWER!r}
""")
pixel = folder / "pixel.png"
pixel.write_bytes(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
)


def chat(model):
    expect_in("zebra", command("llm", "-m", model, "--no-stream", "Say zebra."))


def stream(model):
    expect_in("zebra", command("llm", "-m", model, "Say zebra."))


def tools(model):
    with_tools = ("llm", "-m", model, "--functions", str(functions))
    expect_in(WEATHER_ANSWER, command(*with_tools, WEATHER_QUESTION))
    expect_in(TIME_ANSWER, command(*with_tools, "-c", TIME_QUESTION))


def structured(model):
    answer = command("llm", "-m", model, "--no-stream", "--schema", "city, degrees float", "In Oslo.")
    assert set(json.loads(answer)) == {"city", "degrees"}, answer


def attachment(model):
    expect_in("1 image", command("llm", "-m", model, "Look.", "-a", str(pixel)))


def conversation(model):
    command("llm", "-m", model, "Say one.")
    expect_in("zebra", command("llm", "-c", "Say zebra."))


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", attachment)
operation("extras", conversation)
