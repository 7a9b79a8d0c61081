/**
 * Gemini searches and calls functions in one turn: what the search did goes back in the next turn, with the ids and all
 * signatures, which the sandbox verifies.
 */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const vertexGemini = 'google/gemini-3.5-flash:google-vertex';
const gateway = useWatchedGateway(vertexGemini);
const model = 'google/gemini-3.5-flash';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', name: 'weather', parameters }, { type: 'web_search' }];
const question = { role: 'user', content: 'Which city? sandbox call weather' };
const asking = {
  model,
  tools,
  include: ['reasoning.encrypted_content'],
  extra: { debug: ['normalizations'] },
};

interface Item {
  readonly type: string;
  readonly call_id: string;
  readonly encrypted_content?: string;
}

interface Part {
  readonly toolCall?: object;
  readonly toolResponse?: object;
  readonly functionCall?: { readonly id?: string };
  readonly functionResponse?: { readonly id?: string };
  readonly thoughtSignature?: string;
}

async function ask(more: object) {
  gateway.take();
  const response = await gateway.post('/v1/responses', { ...asking, ...more });
  const text = await response.text();
  const sent = Object(gateway.take()[0]?.body);
  const completed = text.split('\n').findLast((line) => line.includes('"response.completed"'));
  const body = Object(completed ? JSON.parse(completed.slice('data: '.length)).response : JSON.parse(text));
  return { status: response.status, body, output: (body.output ?? []) as Item[], sent };
}

const partsOf = (
  sent: { readonly contents?: readonly { readonly role: string; readonly parts: Part[] }[] },
  role: string,
) => (sent.contents ?? []).filter((content) => content.role === role).flatMap(({ parts }) => parts);

const resultOf = (output: readonly Item[]) => ({
  type: 'function_call_output',
  call_id: output.find(({ type }) => type === 'function_call')?.call_id,
  output: 'Sunny.',
});

function expectWhole(sent: object) {
  const [call, response, called, ...others] = partsOf(sent, 'model');
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    toolCall: { toolType: 'GOOGLE_SEARCH_WEB' },
    thoughtSignature: expect.any(String),
  });
  expect(response).toMatchObject({
    toolResponse: { toolType: 'GOOGLE_SEARCH_WEB' },
    thoughtSignature: expect.any(String),
  });
  expect(called).toMatchObject({
    functionCall: { id: expect.any(String) },
    thoughtSignature: expect.any(String),
  });
  expect(partsOf(sent, 'user').at(-1)?.functionResponse?.id).toBe(called?.functionCall?.id);
}

describe.each([false, true])('Responses, streamed: %s', (stream) => {
  test('the items are in the order of the work, and the steps go back by previous_response_id', async () => {
    const first = await ask({ input: [question], stream });
    const types = first.output.map(({ type }) => type);
    // The first is the thought that is shown.
    expect(types).toEqual(['reasoning', 'web_search_call', 'reasoning', 'function_call']);
    const next = await ask({ previous_response_id: first.body.id, input: [resultOf(first.output)], stream });
    expect([next.status, next.body.status]).toEqual([200, 'completed']);
    expectWhole(next.sent);
  });

  test('and by their items', async () => {
    const first = await ask({ input: [question], store: false, stream });
    const input = [question, ...first.output, resultOf(first.output)];
    const next = await ask({ input, store: false, stream });
    expect(next.status).toBe(200);
    expectWhole(next.sent);
    expect(JSON.stringify(next.body.debug ?? {})).not.toContain('messages');
  });
});

test('a step that was changed is refused, so the sandbox does verify it', async () => {
  const first = await ask({ input: [question], store: false });
  const input = first.output.map((item) => {
    if (!item.encrypted_content) return item;
    const details = Buffer.from(item.encrypted_content.slice('mgw1_'.length), 'base64url').toString();
    const changed = details.replace('GOOGLE_SEARCH_WEB', 'GOOGLE_SEARCH_WWW');
    return { ...item, encrypted_content: `mgw1_${Buffer.from(changed).toString('base64url')}` };
  });
  const next = await ask({ input: [question, ...input, resultOf(first.output)], store: false });
  expect(next.status).toBe(400);
});

test.each(['anthropic/claude-opus-5', vertexGemini])('%s gets no steps, on record', async (other) => {
  const first = await ask({ input: [question], store: false });
  const input = [question, ...first.output, resultOf(first.output)];
  const { status, sent, body } = await ask({ model: other, input, tools: tools.slice(0, 1), store: false });
  expect(status).toBe(200);
  expect(JSON.stringify(sent)).not.toMatch(/toolCall|GOOGLE_SEARCH/);
  expect(JSON.stringify(body.debug.normalizations)).toContain('google-gemini-step-v1');
});

test('a search without functions has the form that it had', async () => {
  const { output, sent } = await ask({ input: 'Which city?', tools: tools.slice(1) });
  expect(output.map(({ type }) => type)).toEqual(expect.arrayContaining(['message', 'web_search_call']));
  expect(sent.toolConfig).toBeUndefined();
});
