/** LangChain's client for OpenAI: structured output, with each of its methods. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useLangchain } from '../../harness/clients/sdk-langchain.ts';
import { providerRows } from '../../harness/matrix/providers.ts';

const model = useLangchain();
const weather = z.object({ city: z.string(), degrees: z.number() });
const seen = { city: expect.any(String), degrees: expect.any(Number) };

describe.each(providerRows)('$provider', (row) => {
  const methods =
    row.tools === 'none' ? (['jsonSchema'] as const) : (['jsonSchema', 'functionCalling'] as const);
  test.each(methods)('by %s', async (method) => {
    const structured = model(row.model).withStructuredOutput(weather, { method, name: 'weather' });
    expect(await structured.invoke('The weather in Oslo: sandbox call weather')).toEqual(seen);
  });

  test('by JSON mode', async () => {
    const structured = model(row.model).withStructuredOutput(z.record(z.string(), z.unknown()), {
      method: 'jsonMode',
    });
    expect(await structured.invoke('Answer in JSON: the weather in Oslo.')).toBeTypeOf('object');
  });

  test('in a stream', async () => {
    const structured = model(row.model).withStructuredOutput(weather, {
      method: 'jsonSchema',
      name: 'weather',
    });
    const pieces = await Array.fromAsync(await structured.stream('The weather in Oslo.'));
    expect(pieces.at(-1)).toEqual(seen);
  });
});
