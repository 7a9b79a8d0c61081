/** Custom tools in chat: as they are where the model has them, else a function whose call comes back as a custom one. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { argument, call, end, protocolScripts, type Step, start } from '../../harness/protocol-scripts.ts';
import { answerEvents, answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();

const patch = '*** Begin Patch\n*** Add File: a.txt\n+"one"\n*** End Patch\n';

const grammar = { syntax: 'lark', definition: 'start: /.+/s' };

const tools = [
  {
    type: 'custom',
    custom: { name: 'apply_patch', description: 'Edits files.', format: { type: 'grammar', grammar } },
  },
];

const steps = (text: string): readonly Step[] => {
  const json = JSON.stringify({ input: text });
  return [
    start,
    call(0, 'apply_patch'),
    argument(0, json.slice(0, 20)),
    argument(0, json.slice(20)),
    finish,
    end,
  ];
};

const finish: Step = { type: 'finish', reason: 'calls', usage: { input: 7, output: 3 } };

const custom = { type: 'custom', custom: { name: 'apply_patch', input: patch } };

const messages = [
  { role: 'user', content: 'Edit the file.' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'call_0', ...custom }] },
  { role: 'tool', tool_call_id: 'call_0', content: 'Done.' },
  { role: 'user', content: 'Once more.' },
];

interface Delta {
  readonly id?: string;
  readonly type?: string;
  readonly custom: { readonly name?: string; readonly input: string };
}

/** The calls of a stream, put together as a client does. */
function callsOf(stream: string): unknown {
  const data = stream.split('\n').filter((line) => line.startsWith('data: {'));
  const deltas = data.flatMap((line): readonly Delta[] => {
    const { choices } = JSON.parse(line.slice(6));
    return choices.flatMap(
      (choice: { delta: { tool_calls?: readonly Delta[] } }) => choice.delta.tool_calls ?? [],
    );
  });
  const [head] = deltas;
  return { type: head?.type, name: head?.custom.name, input: deltas.map((one) => one.custom.input).join('') };
}

describe.each(protocolScripts)('$protocol', (script) => {
  const body = { model: script.protocol === 'openai' ? 'openai/gpt-4.1' : script.model };
  const more = { ...body, messages, tools, extra: { debug: ['normalizations'] } };

  test('a body', async () => {
    protocols.upstream.script(answerJson(script.body(steps(patch))));
    const response = await protocols.ask(script, more);
    const answer = (await response.json()) as {
      choices: { message: object }[];
      debug: { normalizations: { param: string }[] };
    };
    expect(answer.choices[0]?.message).toMatchObject({ content: null, tool_calls: [custom] });
    expect(answer.debug.normalizations).toContainEqual(
      expect.objectContaining({ param: 'tools.0.type', before: 'custom', after: 'function' }),
    );
    const sent = JSON.stringify(protocols.upstream.requests[0]?.body);
    expect(sent).not.toContain('"custom"');
    expect(sent).toContain('follow this Lark grammar');
    // The earlier call goes back in the same form.
    expect(sent.replaceAll('\\', '')).toContain(JSON.stringify({ input: patch }).replaceAll('\\', ''));
  });

  test('a stream', async () => {
    const response = await protocols.replay(script, script.stream(steps(patch)), more);
    expect(callsOf(await response.text())).toEqual({ type: 'custom', name: 'apply_patch', input: patch });
  });

  test('a choice of it', async () => {
    protocols.upstream.script(answerJson(script.body(steps(patch))));
    const tool_choice = { type: 'custom', custom: { name: 'apply_patch' } };
    expect((await protocols.ask(script, { ...more, tool_choice })).status).toBe(200);
    expect(JSON.stringify(protocols.upstream.requests[0]?.body)).not.toContain('"custom"');
  });
});

const openai = { ...protocolScripts[0], model: 'openai/gpt-5' } as (typeof protocolScripts)[number];

test('a model that has custom tools gets them as they are', async () => {
  const message = { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', ...custom }] };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  protocols.upstream.script(answerJson({ object: 'chat.completion', choices }));
  const tool_choice = { type: 'custom', custom: { name: 'apply_patch' } };
  const response = await protocols.ask(openai, { tools, tool_choice, messages });
  expect(response.headers.get('x-gateway-normalizations')).toBe(null);
  expect(protocols.upstream.requests[0]?.body).toMatchObject({
    tools,
    tool_choice,
    messages: [{}, { tool_calls: [{ id: 'call_0', ...custom }] }, { role: 'tool' }, {}],
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { tool_calls: [custom] } }] });
});

test('and its stream keeps a text that is blank', async () => {
  const head = { index: 0, id: 'call_1', type: 'custom', custom: { name: 'apply_patch', input: '' } };
  const deltas = [{ tool_calls: [head] }, { tool_calls: [{ index: 0, custom: { input: ' ' } }] }];
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  protocols.upstream.script(answerEvents([...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls')]));
  const response = await protocols.ask(openai, { tools, stream: true });
  expect(callsOf(await response.text())).toEqual({ type: 'custom', name: 'apply_patch', input: ' ' });
});

test.each([
  [{ type: 'custom', custom: { name: 'a b' } }, 'tools.0.custom.name'],
  [{ type: 'custom', custom: { name: 'a', format: { type: 'xml' } } }, 'tools.0.custom.format.type'],
  [{ type: 'customs', custom: { name: 'a' } }, 'tools.0.type'],
])('%j is refused by name', async (tool, param) => {
  const response = await protocols.ask(openai, { tools: [tool] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param } });
});
