"""smolagents."""

from smolagents import CodeAgent, OpenAIModel, ToolCallingAgent, tool

from driver import API_KEY, BASE_URL, TIME_ANSWER, WEATHER_ANSWER, expect_in, operation


@tool
def get_weather(city: str) -> str:
    """Gives the weather.

    Args:
        city: The city.
    """
    return WEATHER_ANSWER


@tool
def get_time(city: str) -> str:
    """Gives the time.

    Args:
        city: The city.
    """
    return TIME_ANSWER


def model_of(model):
    return OpenAIModel(model_id=model, api_base=BASE_URL, api_key=API_KEY, client_kwargs={"max_retries": 0})


def said(text):
    return [{"role": "user", "content": [{"type": "text", "text": text}]}]


def chat(model):
    expect_in("zebra", model_of(model)(said("Say zebra.")).content)


def stream(model):
    pieces = model_of(model).generate_stream(said("Say zebra."))
    expect_in("zebra", "".join(piece.content or "" for piece in pieces))


def tools(model):
    """It must call a tool in each step, and ends with one of its own."""
    agent = ToolCallingAgent(tools=[get_weather, get_time], model=model_of(model), max_steps=5, verbosity_level=0)
    assert agent.run("The weather and the time in Oslo.")
    called = [call.name for step in agent.memory.steps for call in getattr(step, "tool_calls", None) or []]
    assert {"get_weather", "get_time", "final_answer"} <= set(called), called


def structured(model):
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    answer = {"type": "json_schema", "json_schema": {"name": "weather", "schema": schema}}
    expect_in('"city"', model_of(model).generate(said("In Oslo."), response_format=answer).content)


def code_agent(model):
    agent = CodeAgent(tools=[get_weather], model=model_of(model), max_steps=2, verbosity_level=0)
    assert agent.run("The weather in Oslo.") is not None


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", code_agent)
