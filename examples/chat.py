"""A chat completion. The SDK reads OPENAI_BASE_URL and OPENAI_API_KEY on its own."""

from openai import OpenAI

client = OpenAI()

completion = client.chat.completions.create(
    model="google/gemini-3.5-flash",
    messages=[{"role": "user", "content": "Say hello."}],
    # The gateway's own options go into `extra`.
    extra_body={"extra": {"debug": ["routing"]}},
)

print(completion.choices[0].message.content)
print("answered by", completion.model_extra["debug"]["routing"][-1]["provider"])
