/** Thought signatures of Gemini in thinking blocks, there and back. */
import { describe, expect, test } from 'vitest';
import { startUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import type { Json, MessageSeen } from '../../harness/messages.ts';
import { askThinker, toolResults } from '../../harness/messages-thinking.ts';
import { answerJson, type UpstreamScript } from '../../harness/upstream.ts';
import { use } from '../../harness/use.ts';

const model = 'google/gemini-3.5-flash';
const other = 'google/gemini-3.1-pro-preview';

const started = use(() => startUpstreamGateway('GOOGLE'));

const answerOf = (parts: readonly Json[]) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
});

const first = { functionCall: { id: 'fn:1', name: 'weather', args: { city: 'Rome' } } };
const second = { functionCall: { id: 'fn:2', name: 'weather', args: { city: 'Oslo' } } };
const thought = { text: 'Where is it?', thought: true };
const said = { text: 'I look.', thoughtSignature: 'U2lnbmVkIHRleHQ=' };
const signedFirst = { ...first, thoughtSignature: 'U2lnbmVkIGNhbGw=' };

const question = { role: 'user', content: 'What is the weather?' };

async function ask(messages: readonly Json[], script: UpstreamScript, asked = model): Promise<MessageSeen> {
  started.upstream.script(script);
  return await askThinker(started.gateway, asked, messages);
}

/** The parts of the model's turn in the last request. */
function returnedParts(): readonly Json[] {
  const contents = (started.upstream.requests.at(-1)?.body.contents ?? []) as {
    role: string;
    parts: Json[];
  }[];
  return contents.find(({ role }) => role === 'model')?.parts ?? [];
}

const withoutIds = (parts: readonly Json[]): readonly Json[] =>
  parts.map(({ functionCall, ...part }) => {
    if (!functionCall) return part;
    const { id: _, ...call } = functionCall as Json;
    return { ...part, functionCall: call };
  });

const called = () => ask([question], answerJson(answerOf([thought, said, signedFirst, second])));
const historyOf = (message: MessageSeen) => [
  question,
  { role: 'assistant', content: message.content },
  toolResults(message),
];
const done = answerJson(answerOf([{ text: 'It is sunny.' }]));

describe('signatures of Gemini', () => {
  test('stand in a block before the call, also that of the text before it', async () => {
    const { content } = await called();
    expect(content.map(({ type, thinking }) => [type, thinking])).toEqual([
      ['thinking', 'Where is it?'],
      ['text', undefined],
      ['thinking', ''],
      ['tool_use', undefined],
      ['tool_use', undefined],
    ]);
    for (const { type, id } of content) if (type === 'tool_use') expect(id).toMatch(/^[\w-]{1,64}$/);
  });

  test('come back on the parts that they came with', async () => {
    await ask(historyOf(await called()), done);
    expect(withoutIds(returnedParts())).toEqual(withoutIds([said, signedFirst, second]));
  });

  test('of another model are left out, on record, and a placeholder takes their place', async () => {
    const { debug } = await ask(historyOf(await called()), done, other);
    expect(JSON.stringify(returnedParts())).not.toContain('U2lnbmVk');
    expect(returnedParts()).toContainEqual(
      expect.objectContaining({ thoughtSignature: 'skip_thought_signature_validator' }),
    );
    expect(debug?.normalizations).toContainEqual(
      expect.objectContaining({
        param: 'messages.1.content',
        action: 'strip',
        reason: expect.stringContaining('model that made them'),
      }),
    );
  });

  test('that are refused are left out in a second try, on record', async () => {
    const { debug } = await ask(historyOf(await called()), (request, response) => {
      const isSigned = JSON.stringify(request.body).includes('U2lnbmVk');
      const error = { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' };
      return (isSigned ? answerJson({ error }, 400) : done)(request, response);
    });
    expect(started.upstream.requests).toHaveLength(2);
    expect(debug?.normalizations).toContainEqual(
      expect.objectContaining({
        action: 'strip',
        reason: expect.stringContaining('does not take this reasoning'),
      }),
    );
  });

  test('of the last text are not written: no message ends in thinking', async () => {
    const { content } = await ask([question], answerJson(answerOf([thought, said])));
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });
});
