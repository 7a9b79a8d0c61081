/** Anthropic's SDK: the count of tokens, and the list of models. */
import { describe, expect, test } from 'vitest';
import { anthropicSdks, bothGenerations, useAnthropic } from '../../harness/clients/sdk-anthropic.ts';
import { messageModels } from '../../harness/matrix/message-models.ts';

const client = useAnthropic();

describe.each(bothGenerations)('$sdk', (sdk) => {
  test.each(messageModels)('counts the tokens of a request for $family', async ({ model }) => {
    const text = 'It rained in the hills all week. ';
    const count = (times: number) =>
      client(sdk).messages.countTokens({
        model,
        system: 'Answer briefly.',
        messages: [{ role: 'user', content: text.repeat(times) }],
        tools: [{ name: 'get_weather', input_schema: { type: 'object', properties: {} } }],
      });
    const [short, long] = await Promise.all([count(1), count(50)]);
    expect(short.input_tokens).toBeGreaterThan(5);
    expect(long.input_tokens - short.input_tokens).toBeGreaterThan(200);
    expect(long.input_tokens - short.input_tokens).toBeLessThan(2000);
  });
});

describe.each(anthropicSdks)('$sdk', (sdk) => {
  test('lists models, page by page', async () => {
    const first = await client(sdk).models.list({ limit: 5 });
    expect(first.data).toHaveLength(5);
    expect(first.has_more).toBe(true);
    const ids: string[] = [];
    for await (const model of client(sdk).models.list({ limit: 100 })) {
      expect(model).toMatchObject({
        type: 'model',
        display_name: expect.stringMatching(/./),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      ids.push(model.id);
    }
    expect(ids.slice(0, 5)).toEqual(first.data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(messageModels.map(({ model }) => model)));
  });

  test.each(messageModels)('reads the model of $family', async ({ model }) => {
    expect(await client(sdk).models.retrieve(model)).toMatchObject({ id: model, type: 'model' });
  });

  test('finds Claude by the name without its owner', async () => {
    const { model } = await client(sdk).messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(model).toBe('anthropic/claude-haiku-4-5');
  });
});
