/** Conversations of a shape that some providers refuse: what is sent for them, and what the record says. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';
import { providerRows } from '../harness/matrix/providers.ts';

const gateway = useWatchedGateway(
  'mistral',
  'groq',
  'deepseek',
  'cohere',
  'anthropic/claude-haiku-4-5:bedrock',
);

type Change = {
  readonly param: string;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
};

async function send(model: string, messages: readonly object[]) {
  gateway.take();
  const call = messages.some((message) => 'tool_calls' in message);
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
  const body = { model, messages, ...(call && { tools }), extra: { debug: ['normalizations'] } };
  const response = await gateway.post('/v1/chat/completions', body);
  const answer = JSON.parse(await response.text());
  const [sent] = gateway.take().map((request) => request.body as { messages: object[]; contents: object[] });
  const changes: readonly Change[] = (answer.debug?.normalizations ?? []).map(
    ({ param, action, before, after }: Change) => ({ param, action, before, after }),
  );
  return { status: response.status, error: answer.error ?? null, sent, changes };
}

const said = (role: string, content: unknown) => ({ role, content });
const blocks = ['anthropic/claude-haiku-4-5', 'anthropic/claude-opus-5', 'amazon/nova-pro'];
const onBedrock = [...blocks, 'anthropic/claude-haiku-4-5:bedrock'];
const greeting = [said('system', 'Be kind.'), said('assistant', 'Welcome!'), said('user', 'Hello')];

describe.each(onBedrock)('%s', (model) => {
  test('gets a turn of the user before a conversation that the assistant begins', async () => {
    const { status, sent, changes } = await send(model, greeting);
    expect(status).toBe(200);
    expect(sent?.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]);
    expect(changes).toContainEqual({
      param: 'messages.1',
      action: 'add',
      before: null,
      after: { role: 'user', content: '[The conversation begins.]' },
    });
  });

  test.each(['', ' \n'])('does not get a blank message of the user, on record: %j', async (blank) => {
    const messages = [
      said('user', blank),
      said('user', 'Hello'),
      said('assistant', 'Hi'),
      said('user', 'Well?'),
    ];
    const { status, sent, changes } = await send(model, messages);
    expect([status, sent?.messages.length]).toEqual([200, 3]);
    expect(changes).toContainEqual({
      param: 'messages.0',
      action: 'strip',
      before: { role: 'user' },
      after: null,
    });
  });

  test.each([
    ['alone', [said('user', '')], 0],
    ['beside instructions', [said('system', 'Be kind.'), said('user', [{ type: 'text', text: ' ' }])], 1],
    ['as the question', [said('user', 'Hi'), said('assistant', 'Hello'), said('user', '')], 2],
  ])('a blank text %s is rejected with its message', async (_, messages, index) => {
    const { status, error, sent } = await send(model, messages);
    expect([status, error?.param, sent]).toEqual([400, `messages.${index}.content`, undefined]);
  });
});

describe('Gemini', () => {
  const gemini = 'google/gemini-2.5-flash';

  test.each(['', ' \n'])('gets no blank message of the user, on record: %j', async (blank) => {
    const messages = [
      said('user', blank),
      said('user', 'Hello'),
      said('assistant', 'Hi'),
      said('user', 'So?'),
    ];
    const { status, sent, changes } = await send(gemini, messages);
    expect([status, sent?.contents.length]).toEqual([200, 3]);
    expect(changes).toContainEqual(expect.objectContaining({ param: 'messages.0', action: 'strip' }));
  });

  test('gets no blank text beside another', async () => {
    const content = ['', 'Hello', ''].map((text) => ({ type: 'text', text }));
    const { status, sent } = await send(gemini, [said('user', content)]);
    expect([status, sent?.contents]).toEqual([200, [{ role: 'user', parts: [{ text: 'Hello' }] }]]);
  });

  test('a blank question is rejected with its message', async () => {
    const { status, error, sent } = await send(gemini, [said('user', '')]);
    expect([status, error?.param, sent]).toEqual([400, 'messages.0.content', undefined]);
  });
});

test('a Responses request has its own paths in errors and records', async () => {
  const model = 'anthropic/claude-haiku-4-5';
  const ask = async (input: readonly object[]) => {
    const response = await gateway.post('/v1/responses', {
      model,
      input,
      extra: { debug: ['normalizations'] },
    });
    return JSON.parse(await response.text());
  };
  const refused = await ask([said('user', ' ')]);
  expect(refused.error.param).toBe('input.0.content');
  const served = await ask([said('assistant', 'Welcome!'), said('user', ''), said('user', 'Hello')]);
  const params = served.debug.normalizations.map(({ param }: Change) => param);
  expect([served.status, params]).toEqual(['completed', expect.arrayContaining(['input.0', 'input.1'])]);
});

describe('Gemini', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
  const calling = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' },
  ];

  test.each(['google/gemini-2.5-flash', 'google/gemini-3.5-flash'])(
    '%s gets a turn of the user before a call that begins the conversation',
    async (model) => {
      const { status, sent, changes } = await send(model, calling);
      expect(status).toBe(200);
      expect(sent?.contents.at(0)).toMatchObject({ role: 'user' });
      expect(changes).toContainEqual(expect.objectContaining({ param: 'messages.0', action: 'add' }));
    },
  );

  test('takes a greeting as it is', async () => {
    const { status, sent, changes } = await send('google/gemini-3.5-flash', greeting);
    expect([status, changes]).toEqual([200, []]);
    expect(sent?.contents.at(0)).toMatchObject({ role: 'model' });
  });
});

test.each(['amazon/nova-pro', 'anthropic/claude-haiku-4-5:bedrock'])(
  '%s gets a text beside a document that comes without words',
  async (model) => {
    const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${btoa('%PDF-1.7')}` };
    const { status, sent, changes } = await send(model, [said('user', [{ type: 'file', file }])]);
    expect(status).toBe(200);
    expect(JSON.stringify(sent)).toContain('[A document.]');
    expect(changes).toContainEqual({
      param: 'messages.0.content',
      action: 'add',
      before: null,
      after: { type: 'text', text: '[A document.]' },
    });
  },
);

describe("an assistant's refusal in a history", () => {
  const asField = { role: 'assistant', content: null, refusal: 'I will not.' };
  const asPart = said('assistant', [{ type: 'refusal', refusal: 'I will not.' }]);
  const history = (refusing: object) => [said('user', 'Do it.'), refusing, said('user', 'Why?')];

  test.each(['mistral/mistral-large-2512', 'qwen/qwen3.8-27b', 'deepseek/deepseek-v4-flash'])(
    'goes to %s as text, on record',
    async (model) => {
      for (const refusing of [asField, asPart]) {
        const { status, sent, changes } = await send(model, history(refusing));
        expect(status).toBe(200);
        expect(sent?.messages[1]).toEqual({ role: 'assistant', content: 'I will not.' });
        expect(changes).toContainEqual({
          param: 'messages.1.refusal',
          action: 'override',
          before: { type: 'refusal' },
          after: { type: 'text' },
        });
      }
    },
  );

  test("goes to OpenAI in OpenAI's own field", async () => {
    const { status, sent, changes } = await send('openai/gpt-4.1', history(asField));
    expect([status, changes]).toEqual([200, []]);
    expect(sent?.messages[1]).toEqual(asField);
  });

  test.each(providerRows)('is answered by $provider', async ({ model }) => {
    expect((await send(model, history(asPart))).status).toBe(200);
  });
});
