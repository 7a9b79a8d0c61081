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

With the base URL of \`npm start\` and a key in \`OPENAI_API_KEY\`; a deployment has its own. Those of Codex, opencode and aider are what the drivers use.

Codex, \`~/.codex/config.toml\`. Its search of the web is left out for a model that has none; \`web_search = "disabled"\` turns it off for all.

\`\`\`toml
model = "anthropic/claude-opus-5"
model_provider = "gateway"
[model_providers.gateway]
name = "gateway"
base_url = "http://127.0.0.1:8787/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
\`\`\`

opencode, \`opencode.json\`:

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

aider:

\`\`\`sh
OPENAI_API_BASE=http://127.0.0.1:8787/v1 aider --model openai/anthropic/claude-opus-5
\`\`\`

Continue, \`config.yaml\`:

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
