"""DSPy."""

import asyncio

import dspy

from driver import API_KEY, BASE_URL, WEATHER_QUESTION, expect_in, get_weather, operation


def lm_of(model):
    return dspy.LM(f"openai/{model}", api_base=BASE_URL, api_key=API_KEY, cache=False, num_retries=0)


def chat(model):
    expect_in("zebra", lm_of(model)("Say zebra.")[0])


def stream(model):
    with dspy.context(lm=lm_of(model)):
        program = dspy.streamify(dspy.Predict("question -> answer"))

        async def pieces():
            return [piece async for piece in program(question="Say zebra.")]

        assert asyncio.run(pieces())[-1].answer


def structured(model, adapter=None):
    with dspy.context(lm=lm_of(model), adapter=adapter or dspy.ChatAdapter()):
        answer = dspy.Predict("place: str -> city: str, degrees: float")(place="Oslo")
    assert isinstance(answer.city, str) and isinstance(answer.degrees, float), answer


def tools(model):
    with dspy.context(lm=lm_of(model), adapter=dspy.JSONAdapter(use_native_function_calling=True)):
        signature = dspy.Signature("question: str, tools: list[dspy.Tool] -> calls: dspy.ToolCalls")
        answer = dspy.Predict(signature)(question=WEATHER_QUESTION, tools=[dspy.Tool(get_weather)])
    assert [call.name for call in answer.calls.tool_calls] == ["get_weather"], answer


def embeddings(model):
    embedder = dspy.Embedder(f"openai/{model}", api_base=BASE_URL, api_key=API_KEY, caching=False)
    assert len(embedder(["one", "two"])) == 2


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", lambda model: structured(model, dspy.JSONAdapter()))
operation("extras", embeddings, ["openai/text-embedding-3-small"])
