/** Reasoning items of OpenAI, and the plain reasoning of Kimi, in thinking blocks: there and back. */
import { describe, expect, test } from 'vitest';
import { maxSignatureLength } from '../../../lib/operations/messages/signature.ts';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import type { Json, MessageSeen } from '../../harness/messages.ts';
import { askThinker, toolResults } from '../../harness/messages-thinking.ts';
import { answerJson, startUpstream } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const upstream = use(() => startUpstream());
const gateway = use(() =>
  startTestGateway(
    Object.fromEntries(
      ['OPENAI', 'MOONSHOT'].flatMap((name) => [
        [`${name}_UPSTREAM_URL`, upstream.url],
        [`${name}_API_KEY`, 'a-provider-key'],
      ]),
    ),
  ),
);

const question = { role: 'user', content: 'What is the weather?' };

async function ask(model: string, messages: readonly Json[], answer: Json): Promise<MessageSeen> {
  upstream.script(answerJson(answer));
  return await askThinker(gateway, model, messages);
}

const historyOf = (message: MessageSeen): readonly Json[] => [
  question,
  { role: 'assistant', content: message.content },
  toolResults(message),
];

const openaiModel = 'openai/gpt-5.5';
const summaryOf = (...texts: readonly string[]) => texts.map((text) => ({ type: 'summary_text', text }));
const item = (id: string, ...texts: readonly string[]) => ({
  type: 'reasoning',
  id,
  summary: summaryOf(...texts),
  encrypted_content: `gAAA${id}`,
});
const calling = (id: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'weather',
  arguments: '{"city":"Rome"}',
  status: 'completed',
});
const answerWith = (output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-5.5',
  output,
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
});

describe('OpenAI', () => {
  const saying = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
  };
  // As long as OpenAI's are: longer than an id of a call may be.
  const long = `rs_${'0'.repeat(64)}`;
  const output = [
    item(long, 'One.', 'Two.'),
    saying,
    item('rs_2'),
    calling('1'),
    item('rs_3', 'Three.'),
    calling('2'),
  ];

  test('its items become blocks in their order', async () => {
    const { content } = await ask(openaiModel, [question], answerWith(output));
    expect(content.map(({ type, thinking }) => [type, thinking])).toEqual([
      ['thinking', 'One.\n\nTwo.'],
      ['text', undefined],
      ['thinking', ''],
      ['tool_use', undefined],
      ['thinking', 'Three.'],
      ['tool_use', undefined],
    ]);
  });

  test('they come back as they were, each before what it led to', async () => {
    const message = await ask(openaiModel, [question], answerWith(output));
    await ask(openaiModel, historyOf(message), answerWith([saying]));
    const input = upstream.requests[0]?.body.input as readonly Json[];
    const kinds = input.map(({ type, id, call_id }) => (type === 'reasoning' ? id : (call_id ?? type)));
    expect(kinds.slice(1, 7)).toEqual([long, 'message', 'rs_2', 'call_1', 'rs_3', 'call_2']);
    expect(input.filter(({ type }) => type === 'reasoning')).toEqual(
      output.filter(({ type }) => type === 'reasoning'),
    );
  });
});

describe('Kimi', () => {
  const model = 'moonshotai/kimi-k3';
  const calls = [
    {
      id: 'functions.weather:0',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Rome"}' },
    },
  ];
  const answering = (message: Json) => ({
    id: 'cmpl_1',
    object: 'chat.completion',
    created: 1,
    model: 'kimi-k3',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
  });
  const answer = answering({ content: '', reasoning_content: 'Where is it?', tool_calls: calls });
  const done = answering({ content: 'It is sunny.' });

  test('its ids of calls are written as Anthropic takes them', async () => {
    const { content } = await ask(model, [question], answer);
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    expect(content[1]?.id).toMatch(/^[\w-]{1,64}$/);
  });

  test.each<[string, (block: Json) => Json]>([
    ['as it came', (block) => block],
    ['whose text the client has left out', (block) => ({ ...block, thinking: '' })],
  ])('its reasoning comes back with the call: a block %s', async (_, changed) => {
    const message = await ask(model, [question], answer);
    const content = message.content.map((block) => (block.type === 'thinking' ? changed(block) : block));
    await ask(model, historyOf({ ...message, content }), done);
    const messages = upstream.requests[0]?.body.messages as readonly (Json & {
      tool_calls?: readonly Json[];
    })[];
    expect(messages[1]?.reasoning_content).toBe('Where is it?');
    expect(messages[1]?.tool_calls?.[0]?.id).toBe(messages[2]?.tool_call_id);
  });

  test('what another model thought does not', async () => {
    const answered = answerWith([item('rs_1', 'Secret.'), calling('1')]);
    const message = await ask(openaiModel, [question], answered);
    await ask(model, historyOf(message), done);
    expect(JSON.stringify(upstream.requests[0]?.body)).not.toMatch(/Secret|gAAA|mgw1/);
  });

  test('a text without a signature is given back as plain reasoning', async () => {
    const message = await ask(model, [question], answer);
    const content = message.content.map((block) =>
      block.type === 'thinking' ? { ...block, signature: '' } : block,
    );
    await ask(model, historyOf({ ...message, content }), done);
    const messages = upstream.requests[0]?.body.messages as readonly Json[];
    expect(messages[1]?.reasoning_content).toBe('Where is it?');
  });

  test.each([
    ['was cut', (signature: string) => signature.slice(0, -4)],
    ['is longer than one can be', (signature: string) => signature + 'A'.repeat(maxSignatureLength)],
    ['holds something else', () => `mgw1.${Buffer.from('{"a":1}').toString('base64url')}`],
  ])('a block whose signature of the gateway %s is left out, on record', async (_, changed) => {
    const message = await ask(model, [question], answer);
    const content = message.content.map((block) =>
      block.type === 'thinking' ? { ...block, signature: changed(String(block.signature)) } : block,
    );
    const next = await ask(model, historyOf({ ...message, content }), done);
    expect(next.debug?.normalizations).toContainEqual(
      expect.objectContaining({ param: 'messages.1.content.0', action: 'strip' }),
    );
    const messages = upstream.requests[0]?.body.messages as readonly Json[];
    expect(messages[1]?.reasoning_content, 'not made up').toBe('');
  });
});
