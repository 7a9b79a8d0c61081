"""Instructor."""

import time
from typing import Iterable

import instructor
from instructor.batch import BatchProcessor
from openai import OpenAI
from pydantic import BaseModel

from driver import expect_in, operation
from weather import Weather


class Time(BaseModel):
    city: str


def client(mode):
    return instructor.from_openai(OpenAI(max_retries=0), mode=mode)


def said(text):
    return [{"role": "user", "content": text}]


def chat(model):
    completion = client(instructor.Mode.TOOLS).chat.completions.create(
        model=model, messages=said("Say zebra."), response_model=None
    )
    expect_in("zebra", completion.choices[0].message.content)


def stream(model):
    parts = client(instructor.Mode.TOOLS).chat.completions.create_partial(
        model=model, messages=said("In Oslo."), response_model=Weather, max_retries=0
    )
    assert list(parts)[-1].city is not None


def structured(model, mode=instructor.Mode.TOOLS):
    answer = client(mode).chat.completions.create(
        model=model, messages=said("The weather in Oslo."), response_model=Weather, max_retries=0
    )
    assert isinstance(answer, Weather)


def parallel(model):
    answers = client(instructor.Mode.PARALLEL_TOOLS).chat.completions.create(
        model=model,
        messages=said("sandbox call Weather, sandbox call Time"),
        response_model=Iterable[Weather | Time],
    )
    assert {type(answer) for answer in answers} == {Weather, Time}


def responses(model):
    answer = client(instructor.Mode.RESPONSES_TOOLS).responses.create(
        model=model, input="The weather in Oslo.", response_model=Weather, max_retries=0
    )
    assert isinstance(answer, Weather)


def batch(model):
    processor = BatchProcessor(f"openai/{model}", Weather)
    lines = processor.create_batch_from_messages([said("The weather in Oslo."), said("In Rome.")])
    created = processor.submit_batch(lines)
    while processor.get_batch_status(created)["status"] not in ("completed", "failed", "expired", "cancelled"):
        time.sleep(0.2)
    results = processor.retrieve_results(created)
    assert [type(one.result) for one in results] == [Weather, Weather]
    assert any(one.id == created for one in processor.list_batches(1))


operation("chat", chat)
operation("stream", stream)
operation("tools", parallel)
operation("structured", structured)
operation("extras", lambda model: structured(model, instructor.Mode.JSON))
operation("extras", lambda model: structured(model, instructor.Mode.JSON_SCHEMA))
operation("extras", responses)
operation("extras", batch)
