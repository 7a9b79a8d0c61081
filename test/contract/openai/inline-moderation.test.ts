/** `moderation` of chat completions and responses: OpenAI's own, and by calls of the gateway for models of other providers. */
import OpenAI, { BadRequestError } from 'openai';
import { describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway();
const client = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });

const moderation = { model: 'omni-moderation-latest' };
const block = (phase: 'input' | 'output') => ({
  ...moderation,
  policy: { [phase]: { mode: 'block' as const } },
});
const say = (content: string) => [{ role: 'user' as const, content }];
const models = ['openai/gpt-4.1', 'anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash'];
const text = 'Tell me of violence.';

describe.each(models)('%s', (model) => {
  test('a chat completion says how input and output were classified', async () => {
    const answer = await client().chat.completions.create({ model, messages: say(text), moderation });
    expect(answer.choices[0]?.message.content).toBeTruthy();
    expect(answer.moderation).toMatchObject({
      input: { type: 'moderation_results', results: [{ type: 'moderation_result', flagged: true }] },
      output: { type: 'moderation_results' },
    });
  });

  test('its stream says it in a chunk without choices, before the usage', async () => {
    const stream = await client().chat.completions.create({
      model,
      messages: say(text),
      moderation,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const at = chunks.findIndex((chunk) => chunk.moderation);
    expect(chunks[at]?.choices).toEqual([]);
    expect(chunks[at]?.moderation).toMatchObject({ input: { results: [{ flagged: true }] } });
    expect(chunks.slice(at + 1).map(({ usage }) => usage !== null)).toEqual([true]);
    expect(
      chunks
        .slice(0, at)
        .flatMap(({ choices }) => choices.map((one) => one.finish_reason))
        .at(-1),
    ).toBe('stop');
  });

  test('a response has it in its last event, and as a whole', async () => {
    const asked = { model, input: text, moderation, store: false };
    const whole = await client().responses.create(asked);
    expect(whole.moderation).toMatchObject({ input: { results: [{ flagged: true }] } });
    const events = await Array.fromAsync(await client().responses.create({ ...asked, stream: true }));
    const last = events.at(-1);
    expect(last?.type).toBe('response.completed');
    expect(last).toMatchObject({ response: { moderation: { input: { results: [{ flagged: true }] } } } });
  });
});

describe('by calls of the gateway', () => {
  const model = 'anthropic/claude-haiku-4-5';
  const ask = (content: string, more: object) =>
    client().chat.completions.create({
      model,
      messages: say(content),
      ...more,
    } as never) as Promise<OpenAI.ChatCompletion>;

  test('a flagged input that is to be blocked is refused, and a harmless one is not', async () => {
    const failure: unknown = await ask(text, { moderation: block('input') }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BadRequestError);
    expect(failure).toMatchObject({ code: 'content_policy_violation' });
    expect((await ask('Hello', { moderation: block('input') })).moderation?.input).toMatchObject({
      results: [{ flagged: false }],
    });
  });

  test('nothing of a flagged output that is to be blocked is passed on', async () => {
    const asked = { moderation: block('output') };
    const answer = await ask(text, asked);
    expect(JSON.stringify(answer.choices)).not.toContain('violence');
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
    expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
    const stream = client().chat.completions.stream({ model, messages: say(text), ...asked });
    const pieces: string[] = [];
    stream.on('content', (delta) => pieces.push(delta));
    await stream.done().catch(() => {});
    expect(pieces.join('')).toBe('');
    const response = await client().responses.create({ model, input: text, store: false, ...asked });
    expect(response.incomplete_details).toEqual({ reason: 'content_filter' });
    expect(response.output_text).toBe('');
  });

  test("Mistral's model may make it; what is no model of moderation is refused by its field", async () => {
    const answer = await ask('selfharm', { moderation: { model: 'mistral/mistral-moderation-2603' } });
    expect(answer.moderation?.input).toMatchObject({
      model: 'mistral/mistral-moderation-2603',
      results: [{ flagged: true, category_applied_input_types: {} }],
    });
    for (const other of ['openai/gpt-4.1', 'nobody/nothing']) {
      const failure: unknown = await ask(text, { moderation: { model: other } }).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ param: 'moderation.model' });
    }
  });

  test.each([
    [{ output: { mode: 'Block' } }, 'moderation.policy.output.mode'],
    [{ input: 'block' }, 'moderation.policy.input'],
    [{ Input: { mode: 'block' } }, 'moderation.policy'],
  ])('a policy that does not exist is refused, as it would stop nothing: %j', async (policy, param) => {
    const failure: unknown = await ask(text, { moderation: { ...moderation, policy } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ status: 400, param });
  });

  test('a text file is looked at, too', async () => {
    const file_data = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
    const content = [{ type: 'file', file: { filename: 'a.txt', file_data } }];
    const asked = { messages: [{ role: 'user', content }], moderation: block('input') };
    const failure: unknown = await ask('', asked).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'content_policy_violation' });
  });

  test('it is a field of its own: among those of a protocol, a block could be left out', async () => {
    const asked = { model: 'deepseek/deepseek-flash', native_fields: { moderation: block('input') } };
    const failure: unknown = await ask(text, asked).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 400, param: 'native_fields.moderation' });
  });

  test('what came before the last answer is not classified again; images are classified by themselves', async () => {
    const answer = await ask('Hi', {
      messages: [
        ...say('violence'),
        { role: 'assistant', content: 'No.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
      ],
      moderation,
    });
    expect(answer.moderation?.input).toMatchObject({ results: [{ flagged: false }, { flagged: false }] });
  });

  test('the request is charged once, for its model', async () => {
    const plain = await ask('Hello', { usage: { include: true } });
    const moderated = await ask('Hello', { usage: { include: true }, moderation });
    expect(moderated.usage).toEqual(plain.usage);
  });
});
