/** Hosted tools of OpenAI: they go there as they are, and their items, also of unknown types, come back whole. */
import { expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { answerEvents, answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

const model = 'openai/gpt-5.5';

const tools = [
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'mcp', server_label: 'docs', server_url: 'https://docs.example/mcp', authorization: 'a-secret' },
  { type: 'image_generation', quality: 'low' },
  { type: 'custom', name: 'apply_patch' },
  { type: 'namespace', name: 'agents', description: 'Agents.', tools: [{ type: 'function', name: 'wait' }] },
  { type: 'tool_search', execution: 'client' },
  { type: 'web_search', external_web_access: false, search_content_types: ['text', 'image'] },
];

const code = {
  type: 'code_interpreter_call',
  id: 'ci_1',
  status: 'completed',
  container_id: 'c',
  code: '1+1',
  outputs: [],
};
const unknown = { type: 'telepathy_call', id: 'tp_1', status: 'completed', thought: { of: ['you'] } };
const customCall = {
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'call_1',
  name: 'apply_patch',
  input: 'x\n',
};
const waitCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_2',
  name: 'wait',
  namespace: 'agents',
  arguments: '{}',
};
const output = [code, unknown, customCall, waitCall];

const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };

const response = { id: 'resp_1', object: 'response', status: 'completed', output, usage };

interface Item {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Answer {
  readonly id: string;
  readonly output: readonly Item[];
  readonly tools: readonly object[];
}

const ask = (more: object) =>
  protocols.gateway.post('/v1/responses', { model, input: 'Go.', tools, ...more });

const results = [
  { type: 'custom_tool_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'Done.' }] },
  { type: 'function_call_output', call_id: 'call_2', output: 'Waited.' },
];

test('the tools go upstream as they are, and the items come back', async () => {
  protocols.upstream.script(answerJson(response));
  const tool_choice = { type: 'mcp', server_label: 'docs' };
  const include = ['code_interpreter_call.outputs'];
  const answered = await ask({ tool_choice, include });
  expect(answered.headers.get('x-gateway-normalizations')).toBe(null);
  const sent = protocols.upstream.requests[0]?.body;
  expect(sent).toMatchObject({ tools, tool_choice });
  expect(sent?.include).toContain('code_interpreter_call.outputs');
  const answer = (await answered.json()) as Answer;
  expect(answer.output.map(({ id, status, ...item }) => item)).toEqual(
    output.map(({ id, status, ...item }: Record<string, unknown>) => item),
  );
  expect(answer.output.map(({ id }) => id.split('_')[0])).toEqual(['ci', 'tp', 'ctc', 'fc']);
  expect(JSON.stringify(answer)).not.toContain('a-secret');
});

test('they are stored, listed, and sent back with the next turn, by this model and not by another', async () => {
  protocols.upstream.script(answerJson(response));
  const first = (await (await ask({})).json()) as Answer;
  const { url, apiKey } = protocols.gateway;
  const headers = { authorization: `Bearer ${apiKey}` };
  const stored = (await (await fetch(`${url}/v1/responses/${first.id}`, { headers })).json()) as Answer;
  expect(stored.output).toEqual(first.output);
  const next = { input: results, previous_response_id: first.id };
  protocols.upstream.script(answerJson({ ...response, output: [] }));
  await ask(next);
  const sent = (protocols.upstream.requests[0]?.body.input as readonly Item[] | undefined)?.slice(1);
  expect(sent).toMatchObject([
    { ...code, id: first.output[0]?.id },
    { ...unknown, id: first.output[1]?.id },
    { type: 'custom_tool_call', call_id: 'call_1', input: 'x\n' },
    { type: 'function_call', call_id: 'call_2', namespace: 'agents' },
    { type: 'custom_tool_call_output', output: 'Done.' },
    { type: 'function_call_output', output: 'Waited.' },
  ]);
  const other = {
    model: 'anthropic/claude-haiku-4-5',
    tools: tools.slice(3),
    extra: { debug: ['normalizations'] },
  };
  const content = [{ type: 'text', text: 'Hi.' }];
  const said = { type: 'message', role: 'assistant', content, stop_reason: 'end_turn' };
  protocols.upstream.script(answerJson({ ...said, usage: { input_tokens: 1, output_tokens: 1 } }));
  const elsewhere = await ask({ ...next, ...other });
  const changes = JSON.stringify(await elsewhere.json());
  expect(JSON.stringify(protocols.upstream.requests.at(-1)?.body)).not.toContain('telepathy');
  expect(changes).toContain('telepathy_call');
});

test('settings and items of the newest SDKs go upstream, and to another model they do not, on record', async () => {
  const settings = {
    context_management: [{ type: 'compaction', compact_threshold: 90_000 }],
    image: { context_compression: 'enabled' },
    access_programs: { cyber: 'standard' },
  };
  const input = [
    { type: 'configuration_update', reasoning: { effort: 'low' } },
    { role: 'user', content: 'Go.' },
    { type: 'program', id: 'pg_1', call_id: 'call_9', code: 'await wait()', fingerprint: 'f' },
    { type: 'program_output', id: 'po_1', call_id: 'call_9', result: '1', status: 'completed' },
    { type: 'compaction_trigger' },
  ];
  const body = { tools: [], ...settings, input };
  protocols.upstream.script(answerJson(response));
  expect((await ask(body)).headers.get('x-gateway-normalizations')).toBe(null);
  expect(protocols.upstream.requests[0]?.body).toMatchObject({ ...settings, input });
  const content = [{ type: 'text', text: 'Hi.' }];
  const said = { type: 'message', role: 'assistant', content, stop_reason: 'end_turn' };
  protocols.upstream.script(answerJson({ ...said, usage: { input_tokens: 1, output_tokens: 1 } }));
  const other = { model: 'anthropic/claude-haiku-4-5', extra: { debug: ['normalizations'] } };
  const { debug } = (await (await ask({ ...body, ...other })).json()) as {
    readonly debug: { readonly normalizations: readonly { readonly param: string }[] };
  };
  const params = debug.normalizations.map(({ param }) => param);
  expect(params).toEqual(expect.arrayContaining([...Object.keys(settings), 'input.0', 'input.2', 'input.4']));
});

test('secrets of tools that an item adds go upstream, and are not stored', async () => {
  protocols.upstream.script(answerJson(response));
  const added = { type: 'additional_tools', role: 'developer', tools };
  const tool_choice = { type: 'mcp', server_label: 'docs', headers: { key: 'a-secret' } };
  const answered = await ask({ input: [{ role: 'user', content: 'Go.' }, added], tool_choice });
  const answer = (await answered.json()) as Answer;
  expect(JSON.stringify(answer)).not.toContain('a-secret');
  expect(JSON.stringify(protocols.upstream.requests[0]?.body.input)).toContain('a-secret');
  const { url, apiKey } = protocols.gateway;
  const headers = { authorization: `Bearer ${apiKey}` };
  const listed = await (await fetch(`${url}/v1/responses/${answer.id}/input_items`, { headers })).text();
  expect(listed).toContain('additional_tools');
  expect(listed).not.toContain('a-secret');
});

test('an unknown item sent back by the caller is taken, by its id', async () => {
  protocols.upstream.script(answerJson({ ...response, output: [unknown] }));
  const { output: items } = (await (await ask({ store: false })).json()) as Answer;
  const again = await ask({ store: false, input: [...items, { role: 'user', content: 'And?' }] });
  expect(again.status).toBe(200);
  expect(protocols.upstream.requests.at(-1)?.body.input).toMatchObject([items[0], {}]);
});

test('a stream has the events of such an item, with ids and numbers of its own', async () => {
  const at = { output_index: 0, item_id: 'ci_1' };
  const progress = ['in_progress', 'interpreting', 'completed'].map((step) => ({
    type: `response.code_interpreter_call.${step}`,
    ...at,
  }));
  const delta = { type: 'response.code_interpreter_call_code.delta', ...at, delta: '1+1', obfuscation: 'x' };
  protocols.upstream.script(
    answerEvents([
      { type: 'response.created', response: { ...response, output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...code, status: 'in_progress' } },
      ...progress.slice(0, 1),
      delta,
      ...progress.slice(1),
      { type: 'response.output_item.done', output_index: 0, item: code },
      { type: 'response.output_item.added', output_index: 1, item: { ...customCall, input: '' } },
      { type: 'response.custom_tool_call_input.delta', output_index: 1, item_id: 'ctc_1', delta: 'x\n' },
      { type: 'response.custom_tool_call_input.done', output_index: 1, item_id: 'ctc_1', input: 'x\n' },
      { type: 'response.output_item.done', output_index: 1, item: customCall },
      { type: 'response.completed', response: { ...response, output: [code, customCall] } },
    ]),
  );
  const stream = await (await ask({ stream: true })).text();
  const events = stream
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const ofCode = events.filter(({ type }) => type.includes('code_interpreter'));
  expect(ofCode.map(({ type }) => type)).toEqual(
    [progress[0], delta, progress[1], progress[2]].map((one) => one?.type),
  );
  const done = events.findLast(({ type }) => type === 'response.completed');
  const id = done.response.output[0].id;
  expect(id).toMatch(/^ci_[0-9a-f]{32}o0$/);
  for (const event of ofCode) expect(event).toMatchObject({ item_id: id, output_index: 0 });
  expect(done.response.output).toMatchObject([
    { ...code, id },
    { type: 'custom_tool_call', input: 'x\n' },
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
});
