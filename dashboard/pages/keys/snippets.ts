/**
 * How clients are set up for a key. The settings are those that the README and the tests of clients (`test/interop`) use; further
 * sources: Codex, developers.openai.com/codex/config-advanced; Claude Code, code.claude.com/docs/en/llm-gateway.
 */

interface Snippet {
  /** For the tab's name in the DOM. */
  readonly name: string;
  readonly title: string;
  readonly parts: readonly { readonly label: string; readonly text: string }[];
}

interface Client {
  /** The secret. */
  readonly key: string;
  /** The gateway's base URL, with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
}

/** What a shell, Python, JavaScript, JSON and TOML read as it is: ids of models and keys have no other characters. */
const plain = /^[\w./:@-]*$/;

/** Of which the first that a key may call is in its snippets. */
const defaultModels = ['openai/gpt-5.5', 'anthropic/claude-haiku-4-5', 'google/gemini-3.5-flash'];

/** @param models Of a key, where `owner/*` is all of an owner; null: all. */
export function modelFor(models: readonly string[] | null): string {
  const may = (model: string) =>
    !models ||
    models.some((one) => one === model || (one.endsWith('/*') && model.startsWith(one.slice(0, -1))));
  const found = defaultModels.find(may) ?? models?.find((one) => !one.includes('*') && plain.test(one));
  return found ?? defaultModels[0] ?? '';
}

export function snippetsFor({ key, baseUrl, model }: Client): readonly Snippet[] {
  const openai = `export OPENAI_BASE_URL=${baseUrl}\nexport OPENAI_API_KEY=${key}`;
  const shell = { label: 'In the shell', text: openai };
  return [
    {
      name: 'curl',
      title: 'curl',
      parts: [
        {
          label: 'In the shell',
          text: `curl -s ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello!"}]}'`,
        },
      ],
    },
    {
      name: 'python',
      title: 'Python',
      parts: [
        { ...shell, text: `pip install openai\n${openai}` },
        {
          label: 'hello.py',
          text: `from openai import OpenAI

client = OpenAI()
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`,
        },
      ],
    },
    {
      name: 'node',
      title: 'Node',
      parts: [
        { ...shell, text: `npm install openai\n${openai}` },
        {
          label: 'hello.mjs',
          text: `import OpenAI from 'openai';

const client = new OpenAI();
const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(completion.choices[0].message.content);`,
        },
      ],
    },
    {
      name: 'claude-code',
      title: 'Claude Code',
      parts: [
        {
          label: 'In the shell',
          // Its client adds /v1 by itself, and another key in the environment would have precedence.
          text: `unset ANTHROPIC_API_KEY
export ANTHROPIC_BASE_URL=${baseUrl.replace(/\/v1$/, '')}
export ANTHROPIC_AUTH_TOKEN=${key}
claude --model ${model}`,
        },
      ],
    },
    {
      name: 'codex',
      title: 'Codex',
      parts: [
        {
          label: '~/.codex/config.toml',
          text: `model = "${model}"
model_provider = "gateway"

[model_providers.gateway]
name = "Model gateway"
base_url = "${baseUrl}"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`,
        },
        { label: 'In the shell', text: `export GATEWAY_API_KEY=${key}\ncodex` },
      ],
    },
    {
      name: 'opencode',
      title: 'opencode',
      parts: [
        {
          label: 'opencode.json',
          text: `{
  "$schema": "https://opencode.ai/config.json",
  "model": "gateway/${model}",
  "provider": {
    "gateway": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Model gateway",
      "options": { "baseURL": "${baseUrl}", "apiKey": "{env:GATEWAY_API_KEY}" },
      "models": { "${model}": { "name": "${model}" } }
    }
  }
}`,
        },
        { label: 'In the shell', text: `export GATEWAY_API_KEY=${key}\nopencode` },
      ],
    },
  ];
}
