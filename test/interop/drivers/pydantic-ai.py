"""Pydantic AI."""

import asyncio
from datetime import timedelta

from pydantic_ai import Agent, NativeOutput, PromptedOutput
from pydantic_ai.capabilities import BatchModelRequests
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel

from driver import (
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


def chat(model):
    expect_in("zebra", Agent(OpenAIChatModel(model)).run_sync("Say zebra.").output)


async def stream(model, kind=OpenAIChatModel):
    async with Agent(kind(model)).run_stream("Say zebra.") as result:
        expect_in("zebra", await result.get_output())


def tools(model, kind=OpenAIChatModel):
    agent = Agent(kind(model), tools=[get_weather, get_time])
    first = agent.run_sync(WEATHER_QUESTION)
    expect_in(WEATHER_ANSWER, first.output)
    second = agent.run_sync(TIME_QUESTION, message_history=first.all_messages())
    expect_in(TIME_ANSWER, second.output)


def structured(model, wrap=lambda kind: kind, kind=OpenAIChatModel):
    agent = Agent(kind(model), output_type=wrap(Weather))
    assert isinstance(agent.run_sync("The weather in Oslo.").output, Weather)


def tools_and_structure(model):
    """Its output is a call too, so that it requires one in every turn."""
    agent = Agent(OpenAIChatModel(model), tools=[get_weather], output_type=Weather)
    assert isinstance(agent.run_sync("The weather in Oslo.").output, Weather)


async def batch(model):
    """Two runs share a batch."""
    requests = BatchModelRequests(max_requests=2, poll_interval=timedelta(seconds=1))
    agent = Agent(OpenAIResponsesModel(model), capabilities=[requests])
    for result in await asyncio.gather(agent.run("Say zebra."), agent.run("Say zebra.")):
        expect_in("zebra", result.output)


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("structured", tools_and_structure)
operation("extras", lambda model: tools(model, OpenAIResponsesModel))
operation("extras", lambda model: structured(model, NativeOutput))
operation("extras", batch)
operation("extras", lambda model: structured(model, PromptedOutput))
operation("extras", lambda model: structured(model, kind=OpenAIResponsesModel))
operation("extras", lambda model: tools(model, AnthropicModel))
operation("extras", lambda model: stream(model, AnthropicModel))
operation("extras", lambda model: structured(model, kind=AnthropicModel))
