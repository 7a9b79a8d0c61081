/** Writes docs/clients.md. */
import { type ClientResults, operations, type Result } from './results.ts';

const head = `# Clients

Real clients, as npm and PyPI have them, against the local gateway and its sandbox. \`npm run interop\` installs and drives them, and
writes this page. Each operation ran with a model of OpenAI, of Anthropic and of Google, unchanged but for base URL and key. The last five speak only
the Messages API, and ran with one of DeepSeek, too.

- **chat**, **stream**: a question and its answer, whole and in pieces.
- **tools**: the model calls a tool, the client runs it, the model answers; then the same again in the same conversation.
- **structured**: an answer that follows a schema, parsed by the client.
- **extras**: what else the client is known for, listed below.

\`–\` stands where a client has no such operation. DSPy and Instructor read calls and leave the loop to their users, so that theirs is
one turn; smolagents and mini-swe-agent run one task of several turns.

Embeddings take at most 128 texts in one request: \`embedMany\` of the AI SDK sends longer lists whole, so split them before.
`;

const configurations = `## Configurations

With the base URL of \`npm start\`; a deployment has its own. \`mgw_…\` is a key of the gateway, and \`anthropic/claude-opus-5\` any model of \`GET /v1/models\`.
Each is what the driver of the client uses.

**Environment.** The SDKs of OpenAI and of Anthropic, and most of what is built on them, read it and need nothing else:

\`\`\`sh
export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=mgw_…
export ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_API_KEY=mgw_…
\`\`\`

**TypeScript.** openai, the AI SDK with its two providers, LangChain, the agents SDK, anthropic:

\`\`\`ts
new OpenAI({ baseURL: 'http://127.0.0.1:8787/v1', apiKey: 'mgw_…' });
createOpenAI({ baseURL: 'http://127.0.0.1:8787/v1', apiKey: 'mgw_…' })('anthropic/claude-opus-5');
createOpenAICompatible({
  name: 'gateway',
  baseURL: 'http://127.0.0.1:8787/v1',
  apiKey: 'mgw_…',
  supportsStructuredOutputs: true,
})('anthropic/claude-opus-5');
new ChatOpenAI({
  model: 'anthropic/claude-opus-5',
  apiKey: 'mgw_…',
  configuration: { baseURL: 'http://127.0.0.1:8787/v1' },
});
setTracingDisabled(true); // of @openai/agents: traces go to OpenAI, whatever the base URL is
new OpenAIResponsesModel(new OpenAI({ baseURL: 'http://127.0.0.1:8787/v1', apiKey: 'mgw_…' }), 'anthropic/claude-opus-5');
new Anthropic({ baseURL: 'http://127.0.0.1:8787', apiKey: 'mgw_…' });
\`\`\`

**Python.** openai, LangChain, Pydantic AI, the agents SDK, LiteLLM, LlamaIndex, DSPy, Instructor, Google ADK, smolagents, anthropic:

\`\`\`python
url, key, model = "http://127.0.0.1:8787/v1", "mgw_…", "anthropic/claude-opus-5"
OpenAI(base_url=url, api_key=key)
ChatOpenAI(model=model, base_url=url, api_key=key)
OpenAIEmbeddings(model="openai/text-embedding-3-small", base_url=url, api_key=key, check_embedding_ctx_length=False)
OpenAIChatModel(model, provider=OpenAIProvider(base_url=url, api_key=key))  # Pydantic AI
set_tracing_disabled(True)  # of openai-agents: traces go to OpenAI, whatever the base URL is
OpenAIResponsesModel(model, AsyncOpenAI(base_url=url, api_key=key))
litellm.completion(model=f"openai/{model}", api_base=url, api_key=key, messages=messages)
OpenAILike(model=model, api_base=url, api_key=key, is_chat_model=True, is_function_calling_model=True)
dspy.LM(f"openai/{model}", api_base=url, api_key=key)
instructor.from_openai(OpenAI(base_url=url, api_key=key))
LiteLlm(f"openai/{model}", api_base=url, api_key=key)  # Google ADK
OpenAIModel(model_id=model, api_base=url, api_key=key)  # smolagents
Anthropic(base_url="http://127.0.0.1:8787", api_key=key)
ChatAnthropic(model=model, base_url="http://127.0.0.1:8787", api_key=key)
\`\`\`

**Codex**, \`~/.codex/config.toml\`. Its search of the web is left out for a model that has none; \`web_search = "disabled"\` turns it off for all.

\`\`\`toml
model = "anthropic/claude-opus-5"
model_provider = "gateway"
[model_providers.gateway]
name = "gateway"
base_url = "http://127.0.0.1:8787/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
\`\`\`

**Claude Code**:

\`\`\`sh
ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_AUTH_TOKEN=mgw_… claude --model anthropic/claude-opus-5
\`\`\`

**opencode**, \`opencode.json\`:

\`\`\`json
{
  "provider": {
    "gateway": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "http://127.0.0.1:8787/v1", "apiKey": "{env:OPENAI_API_KEY}" },
      "models": { "anthropic/claude-opus-5": {} }
    }
  }
}
\`\`\`

**aider** and **mini-swe-agent**, which are built on LiteLLM:

\`\`\`sh
OPENAI_API_BASE=http://127.0.0.1:8787/v1 aider --model openai/anthropic/claude-opus-5
OPENAI_API_BASE=http://127.0.0.1:8787/v1 mini -m openai/anthropic/claude-opus-5
\`\`\`

**\`llm\`**, \`extra-openai-models.yaml\` in its directory, after \`llm keys set gateway\`:

\`\`\`yaml
- model_id: anthropic/claude-opus-5
  model_name: anthropic/claude-opus-5
  api_base: http://127.0.0.1:8787/v1
  api_key_name: gateway
  supports_tools: true
  supports_schema: true
\`\`\`

**Continue**, \`config.yaml\`; it has no driver:

\`\`\`yaml
models:
  - name: Claude
    provider: openai
    model: anthropic/claude-opus-5
    apiBase: http://127.0.0.1:8787/v1
    apiKey: \${{ secrets.OPENAI_API_KEY }}
\`\`\`
`;

export function pageOf(all: readonly ClientResults[]): string {
  const rows = all.map(({ client, version, date, results, failure }) => {
    const cells = operations.map((operation) => cellOf(results.filter((one) => one.operation === operation)));
    return row([client.title, failure !== undefined && version === '' ? 'not run' : version, date, ...cells]);
  });
  const table = [row(['client', 'version', 'date', ...operations]), row(Array(8).fill('---')), ...rows];
  const extras = all.filter(({ client }) => client.extras !== '');
  const listed = extras.map(({ client }) => `- ${client.title}: ${client.extras}`);
  return `${[head, table.join('\n'), '', ...notesOf(all), configurations, '## Extras', '', ...listed].join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** `–` where the client has no such operation. */
function cellOf(results: readonly Result[]): string {
  if (results.length === 0) return '–';
  const passed = results.filter(({ ok }) => ok).length;
  return passed === results.length ? 'yes' : `${passed} of ${results.length}`;
}

function notesOf(all: readonly ClientResults[]): readonly string[] {
  const notes = all.flatMap(({ client, results, failure }) => [
    ...(failure === undefined ? [] : [`- ${client.title}: ${oneLine(failure)}`]),
    ...results
      .filter(({ ok }) => !ok)
      .map((one) => `- ${client.title}, ${one.operation}, ${one.model}: ${oneLine(one.detail)}`),
  ]);
  return notes.length === 0 ? [] : ['## What failed', '', ...notes, ''];
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
