"""LangChain in Python."""

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

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


def chat_model(model, **more):
    return ChatOpenAI(model=model, max_retries=0, **more)


def chat(model):
    expect_in("zebra", chat_model(model).invoke("Say zebra.").text)


def stream(model):
    expect_in("zebra", "".join(chunk.text for chunk in chat_model(model).stream("Say zebra.")))


def tools(model, **more):
    agent = create_agent(chat_model(model, **more), tools=[tool(get_weather), tool(get_time)])
    first = agent.invoke({"messages": [("user", WEATHER_QUESTION)]})["messages"]
    expect_in(WEATHER_ANSWER, first[-1].text)
    second = agent.invoke({"messages": [*first, ("user", TIME_QUESTION)]})["messages"]
    expect_in(TIME_ANSWER, second[-1].text)


def structured(model):
    assert isinstance(chat_model(model).with_structured_output(Weather).invoke("In Oslo."), Weather)


def embeddings(model):
    embedder = OpenAIEmbeddings(model=model, check_embedding_ctx_length=False)
    assert len(embedder.embed_documents(["one", "two"])) == 2


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", lambda model: tools(model, use_responses_api=True))
operation("extras", embeddings, ["openai/text-embedding-3-small"])
