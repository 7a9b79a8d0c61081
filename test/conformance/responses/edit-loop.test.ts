/** A coding agent edits a file on models without custom tools: what its own tools are called, and take, comes back to it. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  argument,
  call,
  end,
  responseScripts,
  type Step,
  start,
  text,
} from '../../harness/protocol-scripts.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

const patch = '*** Begin Patch\n*** Update File: a.txt\n-"old"\n+"new"\n*** End Patch\n';

const agents = {
  type: 'namespace',
  name: 'agents',
  description: 'Other agents.',
  tools: [{ type: 'function', name: 'wait', parameters: { type: 'object', properties: {} } }],
};

const tools = [
  { type: 'function', name: 'exec', parameters: { type: 'object', properties: {} } },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/s' },
  },
  agents,
  { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: {} },
  { type: 'web_search', external_web_access: false, search_content_types: ['text'] },
];

const finish = (reason: 'stop' | 'calls'): Step => ({
  type: 'finish',
  reason,
  usage: { input: 7, output: 3 },
});

const json = JSON.stringify({ input: patch });

const edit: readonly Step[] = [
  start,
  call(0, 'apply_patch'),
  argument(0, json.slice(0, 25)),
  argument(0, json.slice(25)),
  call(1, 'agents__wait'),
  argument(1, '{}'),
  finish('calls'),
  end,
];

const done: readonly Step[] = [start, text('Done.'), finish('stop'), end];

const question = { type: 'message', role: 'user', content: 'Edit a.txt.' };

interface Item {
  readonly type: string;
  readonly call_id?: string;
  readonly [field: string]: unknown;
}

const families = responseScripts.filter(({ protocol }) => protocol !== 'openai');

describe.each(families)('$protocol', (script) => {
  const ask = (input: readonly object[], more: object = {}) =>
    protocols.gateway.post('/v1/responses', { model: script.model, input, tools, ...more });

  test('a whole loop: the edit, its result, and the answer', async () => {
    protocols.upstream.script(answerJson(script.body(edit)));
    const first = (await (await ask([question], { store: false })).json()) as { output: readonly Item[] };
    const calls = first.output.filter(({ type }) => type.endsWith('_call'));
    expect(calls).toMatchObject([
      { type: 'custom_tool_call', status: 'completed', name: 'apply_patch', input: patch },
      { type: 'function_call', name: 'wait', namespace: 'agents', arguments: '{}' },
    ]);
    const results = calls.map(({ type, call_id }) => ({
      type: `${type}_output`,
      call_id,
      output: 'Patched.',
    }));
    protocols.upstream.script(answerJson(script.body(done)));
    const second = await ask([question, ...first.output, ...results], {
      store: false,
      extra: { debug: ['normalizations'] },
    });
    const answer = (await second.json()) as {
      output: readonly Item[];
      debug: { normalizations: readonly { param: string }[] };
    };
    expect(answer.output.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'Done.' }] });
    const sent = JSON.stringify(protocols.upstream.requests[0]?.body);
    for (const part of ['apply_patch', 'agents__wait', 'Patched.', 'follow this Lark grammar']) {
      expect(sent).toContain(part);
    }
    for (const part of ['"custom', 'tool_search', 'web_search', '"namespace"'])
      expect(sent).not.toContain(part);
    const params = answer.debug.normalizations.map(({ param }) => param);
    expect(params).toEqual(expect.arrayContaining(['tools.1.type', 'tools.2', 'tools.3', 'tools.4']));
  });

  test('a stream writes the text of the edit as it comes', async () => {
    const body = { stream: true, store: false };
    protocols.upstream.script((_, response) => {
      response.writeHead(200, { 'content-type': script.streamType });
      response.end(Buffer.concat(script.stream(edit)));
    });
    const events = eventsOf(await (await ask([question], body)).text());
    const deltas = events.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(patch);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'response.custom_tool_call_input.done', input: patch }),
    );
    const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(items).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: patch },
      { type: 'function_call', name: 'wait', namespace: 'agents' },
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  });
});

test('tools that an input item adds are offered too', async () => {
  const script = families.find(({ protocol }) => protocol === 'anthropic') ?? families[0];
  if (!script) throw new Error('There is no such script.');
  protocols.upstream.script(answerJson(script.body(edit)));
  const added = { type: 'additional_tools', role: 'developer', tools: [tools[1], agents] };
  const input = [added, question];
  const response = await protocols.gateway.post('/v1/responses', {
    model: script.model,
    input,
    store: false,
  });
  const { output } = (await response.json()) as { output: readonly Item[] };
  expect(output).toMatchObject([
    { type: 'custom_tool_call' },
    { type: 'function_call', namespace: 'agents' },
  ]);
  expect(protocols.upstream.requests[0]?.body.tools).toHaveLength(2);
});

test.each(['file_search', 'mcp', 'computer', 'code_interpreter', 'local_shell', 'shell'])(
  '%s is refused by name where there is none',
  async (type) => {
    const tool = { type, server_label: 'x' };
    const body = { model: 'anthropic/claude-haiku-4-5', input: 'Hi.', tools: [tool] };
    const response = await protocols.gateway.post('/v1/responses', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: 'tools.0.type', message: expect.stringContaining(`'${type}'`) },
    });
  },
);

interface SeenEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

const eventsOf = (stream: string): readonly SeenEvent[] =>
  stream.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
