"""LiteLLM, with its provider for OpenAI-compatible hosts, and with its provider for Anthropic."""

import litellm

from driver import (
    API_KEY,
    BASE_URL,
    TIME_ANSWER,
    TIME_QUESTION,
    WEATHER_ANSWER,
    WEATHER_QUESTION,
    expect_in,
    operation,
)
from weather import Weather

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ANSWERS = {"get_weather": WEATHER_ANSWER, "get_time": TIME_ANSWER}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": CITY}} for name in ANSWERS]


def of_gateway(model):
    return {"model": f"openai/{model}", "api_base": BASE_URL, "api_key": API_KEY, "num_retries": 0}


def said(text):
    return [{"role": "user", "content": text}]


def chat(model):
    completion = litellm.completion(**of_gateway(model), messages=said("Say zebra."))
    expect_in("zebra", completion.choices[0].message.content)


def stream(model):
    chunks = litellm.completion(**of_gateway(model), messages=said("Say zebra."), stream=True)
    expect_in("zebra", "".join(chunk.choices[0].delta.content or "" for chunk in chunks))


def tools(model, call=litellm.completion):
    messages = said(WEATHER_QUESTION)
    expect_in(WEATHER_ANSWER, answered(model, messages, call))
    messages += said(TIME_QUESTION)
    expect_in(TIME_ANSWER, answered(model, messages, call))


def answered(model, messages, call):
    """Runs the tools that the model calls, until it answers: its documented loop."""
    for _ in range(3):
        message = call(**of_gateway(model), messages=messages, tools=TOOLS).choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content
        for one in message.tool_calls:
            content = ANSWERS[one.function.name]
            messages.append({"role": "tool", "tool_call_id": one.id, "name": one.function.name, "content": content})
    raise AssertionError("The tools were called again and again.")


def streamed(messages, **settings):
    chunks = list(litellm.completion(**settings, messages=messages, stream=True))
    return litellm.stream_chunk_builder(chunks, messages=messages)


def over_messages(model, **settings):
    name = model.removeprefix("openai/")
    return {**settings, "model": f"anthropic/{name}", "api_base": BASE_URL.removesuffix("/v1")}


def anthropic(**settings):
    return litellm.completion(**over_messages(**settings))


def anthropic_streamed(**settings):
    return streamed(**over_messages(**settings))


def structured(model):
    completion = litellm.completion(**of_gateway(model), messages=said("In Oslo."), response_format=Weather)
    Weather.model_validate_json(completion.choices[0].message.content)


def responses(model):
    response = litellm.responses(**of_gateway(model), input="Say zebra.")
    expect_in("zebra", response.output_text)


def embeddings(model):
    assert len(litellm.embedding(**of_gateway(model), input=["one", "two"]).data) == 2


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", lambda model: tools(model, streamed))
operation("extras", lambda model: tools(model, anthropic))
operation("extras", lambda model: tools(model, anthropic_streamed))
operation("extras", responses)
operation("extras", embeddings, ["openai/text-embedding-3-small"])
