"""Google's agent development kit with its LiteLLM model."""

import os

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types

from driver import (
    API_KEY,
    BASE_URL,
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

os.environ["OTEL_SDK_DISABLED"] = "true"


def agent_of(model, name="guide", **more):
    llm = LiteLlm(f"openai/{model}", api_base=BASE_URL, api_key=API_KEY, num_retries=0)
    return LlmAgent(name=name, model=llm, instruction="Be brief.", **more)


async def ask(agent, *questions, **settings):
    """What the agent says to each question of one session, and who said it."""
    runner = InMemoryRunner(agent, app_name="interop")
    session = await runner.session_service.create_session(app_name="interop", user_id="user")
    answers = []
    for question in questions:
        message = types.Content(role="user", parts=[types.Part(text=question)])
        events = runner.run_async(
            user_id="user", session_id=session.id, new_message=message, run_config=RunConfig(**settings)
        )
        final = [event async for event in events if event.is_final_response()][-1]
        if final.error_message:
            raise AssertionError(final.error_message)
        answers.append((final.author, "".join(part.text or "" for part in final.content.parts if not part.thought)))
    return answers


async def chat(model):
    expect_in("zebra", await ask(agent_of(model), "Say zebra."))


async def stream(model):
    expect_in("zebra", await ask(agent_of(model), "Say zebra.", streaming_mode=StreamingMode.SSE))


async def tools(model):
    agent = agent_of(model, tools=[get_weather, get_time])
    first, second = await ask(agent, WEATHER_QUESTION, TIME_QUESTION)
    expect_in(WEATHER_ANSWER, first)
    expect_in(TIME_ANSWER, second)


async def structured(model):
    [(_, text)] = await ask(agent_of(model, output_schema=Weather), "The weather in Oslo.")
    Weather.model_validate_json(text)


async def sub_agent(model):
    # It sees the same words, and must have nothing to call.
    alone = {"disallow_transfer_to_parent": True, "disallow_transfer_to_peers": True}
    clerk = agent_of(model, name="clerk", description="Knows the weather.", **alone)
    agent = agent_of(model, sub_agents=[clerk])
    [(author, _)] = await ask(agent, 'sandbox call transfer_to_agent {"agent_name": "clerk"}')
    assert author == "clerk", author


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", sub_agent)
