/** Stored responses: retrieved, listed, continued with another provider, deleted. */
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { providerRows, reasoningRows } from '../../harness/matrix/providers.ts';

const client = useSdk();

test.each(providerRows)(
  'a response of $provider is found, with its input, until it is deleted',
  async ({ model }) => {
    const created = await client().responses.create({
      model,
      input: [
        { role: 'user', content: 'Say one.' },
        { role: 'user', content: 'Say zebra.' },
      ],
      metadata: { team: 'blue' },
    });
    const found = await client().responses.retrieve(created.id);
    expect(found).toEqual(created);
    expect(found.metadata).toEqual({ team: 'blue' });
    const items = await Array.fromAsync(
      client().responses.inputItems.list(created.id, { order: 'asc', limit: 1 }),
    );
    expect(items.map((item) => (item.type === 'message' ? item.content[0] : undefined))).toMatchObject([
      { type: 'input_text', text: 'Say one.' },
      { type: 'input_text', text: 'Say zebra.' },
    ]);
    await client().responses.delete(created.id);
    await expect(client().responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
  },
);

test('a response with store: false is not found, and cannot be continued', async () => {
  const model = 'openai/gpt-4.1';
  const { id } = await client().responses.create({ model, input: 'Say one.', store: false });
  await expect(client().responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await expect(
    client().responses.create({ model, input: 'Say two.', previous_response_id: id }),
  ).rejects.toMatchObject({
    status: 400,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
});

/** Each provider with reasoning is followed by the next one. */
const pairs = reasoningRows.map((row, index) => ({
  from: row.reasoning,
  to: reasoningRows[(index + 1) % reasoningRows.length]?.reasoning ?? row.reasoning,
}));

test.each(pairs)(
  '$to continues a response of $from, and reports what it does not support',
  async ({ from, to }) => {
    const tools: OpenAI.Responses.FunctionTool[] = [
      { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false },
    ];
    const reasoning = { effort: 'low' as const };
    const first = await client().responses.create({
      model: from,
      tools,
      reasoning,
      input: 'sandbox call look',
    });
    const call = first.output.find((item) => item.type === 'function_call');
    const second = await client().responses.create({
      model: to,
      tools,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'a zebra' }],
    });
    expect(second.model).toBe(to);
    expect(second.output_text).toContain('a zebra');
  },
);
