"""LangChain in Python, with its model for Anthropic."""

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

from driver import (
    MODELS,
    TIME_ANSWER,
    TIME_QUESTION,
    WEATHER_ANSWER,
    WEATHER_QUESTION,
    expect_in,
    get_time,
    get_weather,
    operation,
)
from weather import Weather

MODELS.append("deepseek/deepseek-v4-flash")
TOOLS = {one.__name__: tool(one) for one in (get_weather, get_time)}


def of_gateway(model, **more):
    return ChatAnthropic(model=model, max_tokens=8000, max_retries=0, **more)


def chat(model):
    expect_in("zebra", of_gateway(model).invoke("Say zebra.").text)


def stream(model):
    expect_in("zebra", "".join(chunk.text for chunk in of_gateway(model).stream("Say zebra.")))


def tools(model, **more):
    bound = of_gateway(model, **more).bind_tools(list(TOOLS.values()))
    messages = []
    for question, answer in ((WEATHER_QUESTION, WEATHER_ANSWER), (TIME_QUESTION, TIME_ANSWER)):
        messages.append(HumanMessage(question))
        expect_in(answer, answered(bound, messages))


def answered(bound, messages):
    for _ in range(3):
        message = bound.invoke(messages)
        messages.append(message)
        if not message.tool_calls:
            return message.text
        messages += [TOOLS[call["name"]].invoke(call) for call in message.tool_calls]
    raise AssertionError("The tools were called again and again.")


def structured(model, **more):
    chosen = of_gateway(model).with_structured_output(Weather, **more)
    assert isinstance(chosen.invoke("The weather in Oslo."), Weather)


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", lambda model: tools(model, thinking={"type": "adaptive"}))
operation("extras", lambda model: structured(model, method="json_schema"))
