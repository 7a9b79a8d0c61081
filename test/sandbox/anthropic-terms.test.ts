/** What the sandbox of Anthropic takes and refuses by the version and the betas of a request, and of the conversations of agents. */
import { describe, expect, test } from 'vitest';
import { anthropicHandler } from '../../sandbox/anthropic/handler.ts';
import { Refusal } from '../../sandbox/exchange.ts';
import { seal } from '../../sandbox/signature.ts';

const model = 'claude-sonnet-5';
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const system = (content: unknown) => ({ role: 'system', content });
const call = (id = 'toolu_1') => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id = 'toolu_1', content: unknown = 'x') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
const adaptive = { type: 'adaptive' };

interface Asked {
  readonly fields?: object;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

function ask({ fields = {}, headers = {}, path = '/messages' }: Asked) {
  const body = { model, max_tokens: 100, messages: [user('Hello')], ...fields };
  const counted = { ...body, max_tokens: undefined };
  try {
    const {
      status,
      chunks,
      headers: sent,
    } = anthropicHandler({
      provider: 'anthropic',
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.parse(JSON.stringify(path === '/messages' ? body : counted)),
    });
    return { status, body: JSON.parse(String(chunks[0])), headers: sent };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { status, chunks, headers: sent } = thrown.answer;
    return { status, body: JSON.parse(String(chunks[0])), headers: sent };
  }
}

/** A request with these messages, and one with a tool beside them. */
const talk = (...messages: unknown[]): Asked => ({ fields: { messages } });
const agent = (...messages: unknown[]): Asked => ({ fields: { tools, messages } });

const newest = { 'anthropic-version': '2026-10-21' };
const old = { model: 'claude-sonnet-4-5' };
const citation = { type: 'char_location', cited_text: 'x' };
const text = { type: 'text', text: 'x' };
const cited = { ...text, citations: [citation] };
const file = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } };
const beta = (name: string) => ({ 'anthropic-beta': `claude-code-20250219, ${name}` });
const clear = { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } };
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
const summary = { type: 'compaction', content: null };

describe('takes', () => {
  test.each<[string, Asked]>([
    ['a Bearer token', { headers: { 'x-api-key': undefined as never, authorization: 'Bearer k' } }],
    ['a sampling parameter of the old version', { fields: { ...old, temperature: 0.5 } }],
    ['the new version', { headers: newest }],
    ['a citation that comes back, in the old version', talk(user([cited]))],
    ['a document that a text is', talk(user([file, text]))],
    ['instructions after the user', talk(user('x'), system('y'))],
    [
      'instructions after results, before an answer',
      agent(
        user('x'),
        system('y'),
        assistant([call()]),
        user([result()]),
        system('y'),
        assistant([text]),
        user('z'),
      ),
    ],
    [
      'results in two messages of the user',
      agent(user('x'), assistant([call('a'), call('b')]), user([result('a')]), user([result('b'), text])),
    ],
    [
      'edits of the context with their beta',
      { fields: { ...clear, thinking: adaptive }, headers: beta('context-management-2025-06-27') },
    ],
    [
      'a display of a beta',
      {
        fields: { thinking: { ...adaptive, display: 'updates' } },
        headers: beta('thinking-display-updates-2026-08-18'),
      },
    ],
    [
      'an effort of one turn with its beta',
      {
        fields: { messages: [user('x'), { ...system('y'), output_config: { effort: 'low' } }] },
        headers: beta('per-turn-control-2026-07-01'),
      },
    ],
    [
      'a search whose options are null',
      {
        fields: {
          tools: [
            {
              type: 'web_search_20250305',
              name: 'web_search',
              allowed_domains: null,
              blocked_domains: null,
              max_uses: null,
              user_location: null,
            },
          ],
        },
      },
    ],
    ['the assistant first', talk(assistant([text]), user('x'))],
    [
      'a search that runs when the calls beside it have their results',
      agent(user('x'), assistant([search, call()]), user([result()])),
    ],
    ...['compact-2026-01-12', 'compact-2026-09-04'].map((name): [string, Asked] => [
      `a summary with the beta ${name}`,
      { fields: { messages: [user('x'), assistant([summary]), user('y')] }, headers: beta(name) },
    ]),
    ['a marker of the whole body', { fields: { cache_control: { type: 'ephemeral' } } }],
    ['no output at all', { fields: { max_tokens: 0 } }],
    [
      'a tool that is loaded later, and its reference',
      {
        fields: {
          tools: [...tools, { ...tools[0], name: 'Later', defer_loading: true }],
          messages: [
            user('x'),
            assistant([call()]),
            user([result('toolu_1', [{ type: 'tool_reference', tool_name: 'Later' }])]),
          ],
        },
      },
    ],
    ['a tool with a date', { fields: { tools: [{ type: 'bash_20250124', name: 'bash' }] } }],
  ])('%s', (_, asked) => {
    const { status, body } = ask(asked);
    expect([status, body.error]).toEqual([200, undefined]);
  });
});

describe('refuses', () => {
  test.each<[string, Asked, RegExp]>([
    [
      'no version',
      { headers: { 'anthropic-version': undefined as never } },
      /anthropic-version: header is required/,
    ],
    ['an unknown version', { headers: { 'anthropic-version': '2025-01-01' } }, /not a valid version/],
    [
      'sampling in the new version',
      { fields: { ...old, temperature: 1 }, headers: newest },
      /^temperature: Extra inputs/,
    ],
    ['top_k in the new version', { fields: { ...old, top_k: 1 }, headers: newest }, /^top_k: Extra inputs/],
    [
      'a citation of the user in the new version',
      { fields: { messages: [user([cited])] }, headers: newest },
      /citations: Extra/,
    ],
    [
      'a document of the model in the new version',
      { fields: { messages: [user('x'), assistant([file]), user('y')] }, headers: newest },
      /Input tag 'document'/,
    ],
    [
      'a field without its beta',
      { fields: { ...clear, thinking: adaptive } },
      /^context_management: Extra inputs/,
    ],
    ['safeguards without their beta', { fields: { safeguards: [] } }, /^safeguards: Extra inputs/],
    [
      'edits of thinking without thinking',
      { fields: clear, headers: beta('context-management-2025-06-27') },
      /requires `thinking`/,
    ],
    ['an unknown display', { fields: { thinking: { ...adaptive, display: 'updates' } } }, /thinking.display/],
    ['an unknown kind of thinking', { fields: { thinking: { type: 'often' } } }, /Input tag 'often'/],
    ['the gateway’s own fields', { fields: { extra: {} } }, /^extra: Extra inputs/],
    ['a name of the user elsewhere', { fields: { metadata: { user: 'x' } } }, /^metadata.user: Extra/],
    ['instructions to an old model', { fields: { ...old, messages: [user('x'), system('y')] } }, /role/],
    ['instructions first', talk(system('y'), user('x')), /first message/],
    ['instructions twice', talk(user('x'), system('y'), system('z')), /last or precede/],
    ['instructions before the user', talk(user('x'), system('y'), user('z')), /last or precede/],
    ['a field beside the content', talk({ ...user('x'), name: 'y' }), /^messages.0.name: Extra/],
    [
      'an effort of one turn without its beta',
      talk({ ...user('x'), output_config: {} }),
      /^messages.0.output_config/,
    ],
    ['a field of a block', talk(user([{ ...text, index: 1 }])), /^messages.0.content.0.text.index: Extra/],
    [
      'two results of one call',
      agent(user('x'), assistant([call()]), user([result(), result()])),
      /single result/,
    ],
    [
      'an id with a colon',
      agent(user('x'), assistant([call('a:0')]), user([result('a:0')])),
      /should match pattern/,
    ],
    [
      'two calls with one id',
      agent(user('x'), assistant([call(), call()]), user([result()])),
      /must be unique/,
    ],
    [
      'two turns with calls of one id',
      agent(user('x'), assistant([call()]), user([result()]), assistant([call()]), user([result()])),
      /^messages.3.content.0: `tool_use` ids must be unique/,
    ],
    [
      'a search without its results',
      agent(user('x'), assistant([search]), user('y')),
      /without a corresponding/,
    ],
    [
      'a summary without its beta',
      talk(user('x'), assistant([summary]), user('y')),
      /Input tag 'compaction'/,
    ],
    [
      'thinking at the end',
      {
        fields: {
          ...old,
          messages: [user('x'), assistant([{ type: 'thinking', thinking: '', signature: seal('') }])],
        },
      },
      /final block/,
    ],
    [
      'a reference to no tool',
      agent(
        user('x'),
        assistant([call()]),
        user([result('toolu_1', [{ type: 'tool_reference', tool_name: 'No' }])]),
      ),
      /not found in available tools/,
    ],
    [
      'only tools that are loaded later',
      { fields: { tools: [{ ...tools[0], defer_loading: true }] } },
      /defer_loading=false/,
    ],
    ['two tools of one name', { fields: { tools: [...tools, ...tools] } }, /unique/],
    [
      'a choice of no tool',
      { fields: { tools, tool_choice: { type: 'tool', name: 'No' } } },
      /not found in provided tools/,
    ],
    [
      'a file of the account without its beta',
      talk(user([{ type: 'image', source: { type: 'file', file_id: 'f' } }])),
      /Input tag 'file'/,
    ],
    [
      'documents of which some cite',
      talk(user([{ ...file, citations: { enabled: true } }, file])),
      /for all documents or for none/,
    ],
    ['a marker of another kind', { fields: { cache_control: { type: 'forever' } } }, /cache_control.type/],
    [
      'max_tokens in a count',
      { path: '/messages/count_tokens', fields: { stream: true } },
      /^stream: Extra inputs/,
    ],
  ])('%s', (_, asked, message) => {
    const { status, body, headers } = ask(asked);
    expect([status, body.error?.type]).toEqual([400, 'invalid_request_error']);
    expect(body.error.message).toMatch(message);
    expect(headers['request-id']).toBe(body.request_id);
  });
});

test('an answer has the headers of Anthropic', () => {
  const { headers } = ask({});
  expect(headers['request-id']).toMatch(/^req_/);
  expect(Number(headers['anthropic-ratelimit-requests-remaining'])).toBeGreaterThan(0);
  expect(Date.parse(headers['anthropic-ratelimit-tokens-reset'] ?? '')).toBeGreaterThan(0);
});

test('a count with edits has what there was before them', () => {
  const { body } = ask({
    path: '/messages/count_tokens',
    fields: { ...clear, thinking: adaptive },
    headers: beta('context-management-2025-06-27'),
  });
  expect(body).toEqual({
    input_tokens: expect.any(Number),
    context_management: { original_input_tokens: expect.any(Number) },
  });
});
