"""Anthropic's SDK in Python, in either generation."""

import json
import os
import time
from importlib.metadata import version

from anthropic import APIStatusError, Anthropic, AsyncAnthropic, NotFoundError, beta_tool

from driver import (
    API_KEY,
    MODELS,
    TIME_ANSWER,
    TIME_QUESTION,
    WEATHER_ANSWER,
    WEATHER_QUESTION,
    expect_in,
    operation,
)

MODELS.append("deepseek/deepseek-v4-flash")
client = Anthropic(max_retries=0)
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ANSWERS = {"get_weather": WEATHER_ANSWER, "get_time": TIME_ANSWER}
TOOLS = [{"name": name, "input_schema": CITY} for name in ANSWERS]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


def said(text):
    return {"max_tokens": 8000, "messages": [{"role": "user", "content": text}]}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def chat(model):
    message = client.messages.create(model=model, **said("Say zebra."))
    expect_in("zebra", text_of(message))
    assert message.usage.input_tokens > 0 and message.stop_reason == "end_turn"


def stream(model):
    with client.messages.stream(model=model, **said("Say zebra.")) as events:
        expect_in("zebra", "".join(events.text_stream))
        assert events.get_final_message().usage.output_tokens > 0


def streamed(**request):
    with client.messages.stream(**request) as events:
        return events.get_final_message()


def tools(model, call=client.messages.create, **more):
    messages = said(WEATHER_QUESTION)["messages"]
    expect_in(WEATHER_ANSWER, answered(model, messages, call, more))
    messages += said(TIME_QUESTION)["messages"]
    expect_in(TIME_ANSWER, answered(model, messages, call, more))
    both = f"{WEATHER_QUESTION}, {TIME_QUESTION}"
    messages += said(both)["messages"]
    text = answered(model, messages, call, more)
    expect_in(WEATHER_ANSWER, text)
    expect_in(TIME_ANSWER, text)


def answered(model, messages, call, more):
    """Runs the tools that the model calls, until it answers."""
    for _ in range(3):
        message = call(model=model, max_tokens=8000, messages=messages, tools=TOOLS, **more)
        messages.append({"role": "assistant", "content": message.content})
        if message.stop_reason != "tool_use":
            return text_of(message)
        calls = [block for block in message.content if block.type == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": one.id, "content": ANSWERS[one.name]} for one in calls]
        messages.append({"role": "user", "content": results})
    raise AssertionError("The tools were called again and again.")


@beta_tool
def get_weather(city: str) -> str:
    """Gives the weather of a city."""
    return f"{WEATHER_ANSWER} in {city}."


def tool_runner(model):
    """The loop of the SDK, with its defaults."""
    request = {"model": model, "tools": [get_weather], **said(WEATHER_QUESTION)}
    expect_in(f"{WEATHER_ANSWER} in Oslo", text_of(client.beta.messages.tool_runner(**request).until_done()))
    for events in client.beta.messages.tool_runner(stream=True, **request):
        message = events.get_final_message()
    expect_in(f"{WEATHER_ANSWER} in Oslo", text_of(message))


def structured(model):
    schema = {**CITY, "additionalProperties": False}
    form = {"format": {"type": "json_schema", "schema": schema}}
    message = client.messages.create(model=model, output_config=form, **said("The weather in Oslo."))
    assert isinstance(json.loads(text_of(message))["city"], str)


def thinking(model):
    """Thinks, and hands its thoughts back with the results."""
    tools(model, streamed, thinking={"type": "adaptive"})
    tools(model, thinking={"type": "adaptive"})


async def others(model):
    asynchronous = AsyncAnthropic(api_key=API_KEY, max_retries=0)
    expect_in("zebra", text_of(await asynchronous.messages.create(model=model, **said("Say zebra."))))
    raw = client.messages.with_raw_response.create(model=model, **said("Say zebra."))
    assert raw.headers["request-id"] and raw.parse()._request_id
    asked = said("Say zebra.")["messages"]
    assert client.messages.count_tokens(model=model, messages=asked).input_tokens > 0
    assert any(one.id == model for one in client.models.list(limit=100))
    by_token = Anthropic(api_key=None, auth_token=API_KEY, max_retries=0)
    expect_in("zebra", text_of(by_token.messages.create(model=model, **said("Say zebra."))))


def images(model):
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    asked = [{"type": "image", "source": source}, {"type": "text", "text": "Say zebra."}]
    expect_in("1 image", text_of(client.messages.create(model=model, **said(asked))))


def errors(_):
    try:
        client.messages.create(model="anthropic/nothing", **said("Say zebra."))
    except NotFoundError as error:
        assert error.body["error"]["type"] == "not_found_error" and error.request_id
    request = {"model": "openai/gpt-4.1", "extra_body": {"temperature": 0.5}, **said("Say zebra.")}
    is_newest = int(version("anthropic").split(".")[0]) >= 2
    try:
        client.messages.create(**request)
        assert not is_newest
    except APIStatusError as error:
        assert is_newest and error.status_code == 400


def batch(model):
    batches = client.messages.batches
    requests = [{"custom_id": name, "params": {"model": model, **said("Say zebra.")}} for name in ("a", "b")]
    created = batches.create(requests=requests)
    while created.processing_status != "ended":
        time.sleep(0.2)
        created = batches.retrieve(created.id)
    results = {one.custom_id: one.result for one in batches.results(created.id)}
    assert sorted(results) == ["a", "b"] and created.request_counts.succeeded == 2
    expect_in("zebra", text_of(results["a"].message))
    assert any(one.id == created.id for one in batches.list(limit=1))
    assert batches.delete(created.id).type == "message_batch_deleted"


# Where both are given, this one would be sent.
os.environ.pop("ANTHROPIC_API_KEY", None)

operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", tool_runner)
operation("extras", thinking)
operation("extras", others)
operation("extras", images, MODELS[:3])
operation("extras", errors, ["errors"])
operation("extras", batch, MODELS[:3])
