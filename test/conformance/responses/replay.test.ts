/**
 * An answer with mixed texts, thoughts and calls is sent back to the model exactly as it was: stored by the gateway, or sent
 * by the caller item by item.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { addPinnedModels } from '../../harness/matrix/pinned-models.ts';
import { answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();
const onBedrock = 'anthropic/claude-sonnet-4-6:bedrock';
beforeAll(() => addPinnedModels(onBedrock));

const anthropicBlocks = [
  { type: 'text', text: 'Let me see.' },
  { type: 'thinking', thinking: 'First.', signature: 'c2lnMQ==' },
  { type: 'text', text: 'I look twice.' },
  { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } },
  { type: 'redacted_thinking', data: 'aGlkZGVu' },
  { type: 'tool_use', id: 'call_2', name: 'look', input: { at: 2 } },
];
const bedrockBlocks = [
  { text: 'Let me see.' },
  { reasoningContent: { reasoningText: { text: 'First.', signature: 'c2lnMQ==' } } },
  { text: 'I look twice.' },
  { toolUse: { toolUseId: 'call_1', name: 'look', input: { at: 1 } } },
  { reasoningContent: { reasoningText: { text: 'Again.', signature: 'c2lnMg==' } } },
  { toolUse: { toolUseId: 'call_2', name: 'look', input: { at: 2 } } },
];
const geminiParts = [
  { text: 'Let me see.', thoughtSignature: 'c2lnMQ==' },
  { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 'c2lnMg==' },
  { text: 'Once more.' },
  { functionCall: { name: 'look', args: { at: 2 } } },
];

const rows = [
  {
    protocol: 'anthropic',
    model: 'anthropic/claude-opus-5',
    blocks: anthropicBlocks,
    answer: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: anthropicBlocks,
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  {
    protocol: 'bedrock',
    model: onBedrock,
    blocks: bedrockBlocks,
    answer: {
      output: { message: { role: 'assistant', content: bedrockBlocks } },
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
  },
  {
    protocol: 'google',
    model: 'google/gemini-3.5-flash',
    blocks: geminiParts,
    answer: { candidates: [{ content: { role: 'model', parts: geminiParts }, finishReason: 'STOP' }] },
  },
] as const;

interface Item {
  readonly type: string;
  readonly call_id?: string;
}

const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];

async function ask(model: string, more: object): Promise<{ id: string; output: readonly Item[] }> {
  const response = await protocols.gateway.post('/v1/responses', { model, tools, ...more });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.anything()]);
  return JSON.parse(text);
}

/** The provider's own answer as it was sent back. */
function replayed(): unknown {
  const body = protocols.upstream.requests.at(-1)?.body;
  const turns = (body?.messages ?? body?.contents) as readonly Record<string, unknown>[];
  const own = turns.find(({ role }) => role === 'assistant' || role === 'model');
  return own?.content ?? own?.parts;
}

/** Cache markers are set by the gateway and are not part of the answer. */
const withoutMarkers = (blocks: unknown) =>
  (blocks as readonly Record<string, unknown>[])
    .filter((block) => !('cachePoint' in block))
    .map(({ cache_control: _, ...block }) => block);

describe.each(rows)('$protocol', ({ model, blocks, answer }) => {
  const asked = { role: 'user', content: 'What is there?' };
  const include = ['reasoning.encrypted_content'];
  const resultsFor = (output: readonly Item[]) =>
    output.flatMap(({ type, call_id }) =>
      type === 'function_call' ? [{ type: 'function_call_output', call_id, output: 'A cat.' }] : [],
    );

  test('gets it back if the gateway stored it', async () => {
    protocols.upstream.script(answerJson(answer));
    const first = await ask(model, { input: [asked] });
    const results = resultsFor(first.output);
    expect(results).toHaveLength(2);
    await ask(model, { previous_response_id: first.id, input: results });
    expect(withoutMarkers(replayed())).toEqual(blocks);
  });

  test('gets it back if the caller stored it', async () => {
    protocols.upstream.script(answerJson(answer));
    const first = await ask(model, { input: [asked], store: false, include });
    const input = [asked, ...first.output, ...resultsFor(first.output)];
    await ask(model, { input, store: false });
    expect(withoutMarkers(replayed())).toEqual(blocks);
  });
});
