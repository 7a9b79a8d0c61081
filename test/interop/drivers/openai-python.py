"""The official SDK in Python."""

import base64
import io
import json
import struct
import time
import wave
import zlib

from openai import AsyncOpenAI, OpenAI

from driver import TIME_ANSWER, TIME_QUESTION, WEATHER_ANSWER, WEATHER_QUESTION, expect_in, operation
from weather import Weather

client = OpenAI(max_retries=0)
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ANSWERS = {"get_weather": WEATHER_ANSWER, "get_time": TIME_ANSWER}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": CITY}} for name in ANSWERS]


def said(text):
    return [{"role": "user", "content": text}]


def chat(model):
    completion = client.chat.completions.create(model=model, messages=said("Say zebra."))
    expect_in("zebra", completion.choices[0].message.content)
    expect_in("zebra", client.responses.create(model=model, input="Say zebra.").output_text)


def stream(model):
    chunks = client.chat.completions.create(model=model, messages=said("Say zebra."), stream=True)
    expect_in("zebra", "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices))
    with client.responses.stream(model=model, input="Say zebra.") as events:
        expect_in("zebra", events.get_final_response().output_text)


def tools(model):
    messages = said(WEATHER_QUESTION)
    expect_in(WEATHER_ANSWER, answered(model, messages))
    messages += said(TIME_QUESTION)
    expect_in(TIME_ANSWER, answered(model, messages))


def answered(model, messages):
    """Runs the tools that the model calls, until it answers."""
    for _ in range(3):
        message = client.chat.completions.create(model=model, messages=messages, tools=TOOLS).choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            json.loads(call.function.arguments)
            content = ANSWERS[call.function.name]
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    raise AssertionError("The tools were called again and again.")


def structured(model):
    completion = client.chat.completions.parse(
        model=model, messages=said("The weather in Oslo."), response_format=Weather
    )
    assert isinstance(completion.choices[0].message.parsed, Weather)
    response = client.responses.parse(model=model, input="The weather in Oslo.", text_format=Weather)
    assert isinstance(response.output_parsed, Weather)


async def extras(model):
    first = await AsyncOpenAI(max_retries=0).responses.create(model=model, input="Say one.")
    second = client.responses.create(model=model, previous_response_id=first.id, input="Say zebra.")
    expect_in("zebra", second.output_text)
    raw = client.chat.completions.with_raw_response.create(model=model, messages=said("Say zebra."))
    assert raw.headers["x-request-id"]


def background(model):
    """Polls one response, and follows another, which is then resumed and replayed."""
    response = client.responses.create(model=model, input="Say zebra.", background=True)
    while response.status in ("queued", "in_progress"):
        time.sleep(0.05)
        response = client.responses.retrieve(response.id)
    expect_in("zebra", response.output_text)
    events = list(client.responses.create(model=model, input="Say zebra.", background=True, stream=True))
    streamed = events[0].response.id
    assert list(client.responses.retrieve(streamed, stream=True, starting_after=1)) == events[2:]
    with client.responses.stream(response_id=streamed) as replayed:
        expect_in("zebra", replayed.get_final_response().output_text)


def batch(model):
    """Uploads a file in parts, and reads what was answered."""
    body = {"model": model, "input": "Say zebra."}
    lines = [json.dumps({"custom_id": name, "method": "POST", "url": "/v1/responses", "body": body}) for name in "ab"]
    text = "\n".join(lines).encode()
    upload = client.uploads.upload_file_chunked(
        file=text, filename="lines.jsonl", bytes=len(text), mime_type="application/jsonl", purpose="batch", part_size=100
    )
    asked = {"input_file_id": upload.file.id, "endpoint": "/v1/responses", "completion_window": "24h"}
    created = client.batches.create(**asked)
    while created.status not in ("completed", "failed", "expired", "cancelled"):
        time.sleep(0.2)
        created = client.batches.retrieve(created.id)
    assert created.request_counts.completed == 2 and created.error_file_id is None
    results = [json.loads(line) for line in client.files.content(created.output_file_id).text.splitlines()]
    assert sorted(result["custom_id"] for result in results) == ["a", "b"]
    expect_in("zebra", results[0]["response"]["body"]["output"])
    assert any(one.id == created.id for one in client.batches.list(limit=1))
    assert client.files.delete(upload.file.id).deleted


def others(_):
    assert any(model.id == "openai/gpt-5.5" for model in client.models.list())
    assert client.embeddings.create(model="openai/text-embedding-3-small", input=["zebra"]).data
    assert client.images.generate(model="openai/gpt-image-2", prompt="A zebra.").data


def speech(model):
    """The audio whole, as it comes, and as events."""
    asked = {"model": model, "voice": "alloy", "input": "A zebra.", "response_format": "wav"}
    whole = client.audio.speech.create(**asked).content
    with client.audio.speech.with_streaming_response.create(**asked) as response:
        assert response.headers["content-type"] == "audio/wav"
        assert b"".join(response.iter_bytes()) == whole
    events = client.audio.speech.create(**asked, stream_format="sse").text.strip().split("\n\n")
    pieces = [json.loads(event.removeprefix("data: ")) for event in events]
    assert pieces[-1]["type"] == "speech.audio.done"
    assert b"".join(base64.b64decode(piece["audio"]) for piece in pieces[:-1]) == whole


def recording():
    """Thirteen seconds without sound."""
    file = io.BytesIO()
    with wave.open(file, "wb") as samples:
        samples.setparams((1, 2, 8_000, 0, "NONE", ""))
        samples.writeframes(bytes(2 * 8_000 * 13))
    return ("größe.wav", file.getvalue())


def transcriptions(model):
    """The text of a file, and the same as it is heard."""
    asked = {"model": model, "file": recording()}
    text = client.audio.transcriptions.create(**asked).text
    assert text.startswith("The lamp")
    events = list(client.audio.transcriptions.create(**asked, stream=True))
    assert "".join(event.delta for event in events[:-1]) == text
    assert events[-1].type == "transcript.text.done" and events[-1].text == text


def subtitles(model):
    """A text for subtitles, and words with their times."""
    asked = {"model": model, "file": recording()}
    text = client.audio.transcriptions.create(**asked, response_format="srt")
    assert text.startswith("1\n00:00:00,000 --> ")
    words = client.audio.transcriptions.create(
        **asked, response_format="verbose_json", timestamp_granularities=["word"]
    ).words
    assert [len(words), words[1].word] == [13, "lamp"]
    assert client.audio.translations.create(**asked).text if "whisper" in model else True


def picture():
    """A PNG of 16 pixels on each side."""
    chunk = lambda kind, data: (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    )
    rows = b"".join(b"\0" + bytes(3 * 16) for _ in range(16))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def edits(model):
    """One image, and two that become one."""
    one, other = ("one.png", picture()), ("other.png", picture())
    for images in [one, [one, other]]:
        edited = client.images.edit(model=model, image=images, prompt="Put them together.")
        assert base64.b64decode(edited.data[0].b64_json)


operation("chat", chat)
operation("stream", stream)
operation("tools", tools)
operation("structured", structured)
operation("extras", extras)
operation("extras", background)
operation("extras", batch)
operation("extras", others, ["models, embeddings, images"])
for spoken in ["openai/gpt-4o-mini-tts", "google/gemini-3.8-flash-tts", "mistral/voxtral-mini-tts-3"]:
    operation("extras", speech, [spoken])
for heard in ["openai/gpt-transcribe", "mistral/voxtral-mini-transcribe-3", "google/gemini-3.5-transcribe"]:
    operation("extras", transcriptions, [heard])
for timed in ["openai/whisper-1", "xai/grok-voice-transcribe-2.0", "google/gemini-3.5-transcribe"]:
    operation("extras", subtitles, [timed])
for painter in ["openai/gpt-image-2", "google/gemini-3.1-flash-image", "xai/grok-imagine-image"]:
    operation("extras", edits, [painter])
