"""LlamaIndex."""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context
from llama_index.llms.openai_like import OpenAILike
from llama_index.llms.openai_like.responses import OpenAILikeResponses

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


def llm_of(model, kind=OpenAILike):
    settings = {"model": model, "api_base": BASE_URL, "api_key": API_KEY, "max_retries": 0}
    return kind(**settings, is_chat_model=True, is_function_calling_model=True, context_window=100_000)


def chat(model):
    expect_in("zebra", llm_of(model).complete("Say zebra.").text)


def stream(model):
    expect_in("zebra", "".join(piece.delta or "" for piece in llm_of(model).stream_complete("Say zebra.")))


async def tools(model, kind=OpenAILike):
    agent = FunctionAgent(tools=[get_weather, get_time], llm=llm_of(model, kind))
    context = Context(agent)
    expect_in(WEATHER_ANSWER, await agent.run(WEATHER_QUESTION, ctx=context))
    expect_in(TIME_ANSWER, await agent.run(TIME_QUESTION, ctx=context))


def structured(model):
    assert isinstance(llm_of(model).as_structured_llm(Weather).complete("In Oslo.").raw, Weather)


def responses(model):
    expect_in("zebra", llm_of(model, OpenAILikeResponses).complete("Say zebra.").text)


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", responses)
operation("extras", lambda model: tools(model, OpenAILikeResponses))
