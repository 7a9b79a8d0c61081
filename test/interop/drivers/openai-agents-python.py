"""OpenAI's agents SDK in Python."""

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

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

set_tracing_disabled(True)


def guide(model, kind=OpenAIResponsesModel, **more):
    # A client keeps connections of its event loop.
    return Agent("Guide", instructions="Be brief.", model=kind(model, AsyncOpenAI(max_retries=0)), **more)


async def chat(model):
    expect_in("zebra", (await Runner.run(guide(model), "Say zebra.")).final_output)


async def stream(model):
    result = Runner.run_streamed(guide(model), "Say zebra.")
    async for _ in result.stream_events():
        pass
    expect_in("zebra", result.final_output)


async def tools(model, kind=OpenAIResponsesModel):
    agent = guide(model, kind, tools=[function_tool(get_weather), function_tool(get_time)])
    first = await Runner.run(agent, WEATHER_QUESTION)
    expect_in(WEATHER_ANSWER, first.final_output)
    messages = [*first.to_input_list(), {"role": "user", "content": TIME_QUESTION}]
    expect_in(TIME_ANSWER, (await Runner.run(agent, messages)).final_output)


async def structured(model):
    result = await Runner.run(guide(model, output_type=Weather), "In Oslo.")
    assert isinstance(result.final_output, Weather)


async def handoff(model):
    clerk = Agent("Clerk", model=OpenAIChatCompletionsModel(model, AsyncOpenAI(max_retries=0)))
    first = guide(model, OpenAIChatCompletionsModel, handoffs=[clerk])
    result = await Runner.run(first, "sandbox call transfer_to_clerk")
    assert result.last_agent.name == "Clerk", result.last_agent.name


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", lambda model: tools(model, OpenAIChatCompletionsModel))
operation("extras", handoff)
