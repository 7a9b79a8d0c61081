/** The output of the gateway can be sent back unchanged: as JSON, as stored, and as returned by the official SDK. */
import { createServer } from 'node:http';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { wholeSource } from '../../../lib/core/generation/original/source.ts';
import type { JsonObject, ReasoningDetail } from '../../../lib/core/generation/request.ts';
import { storedItem } from '../../../lib/operations/responses/read/full-item.ts';
import { end, listen } from '../../harness/listening.ts';
import { writtenResponse } from '../../harness/responses/written-response.ts';
import { turnOf } from './reading.ts';

const choice = 0;
const answer = '{"city":"Oslo","degrees":7}';
const details: readonly ReasoningDetail[] = [
  {
    type: 'reasoning.text',
    text: 'Hm, ü\u2028.',
    signature: 'c2ln+/==',
    format: 'anthropic-claude-v1',
    index: 0,
  },
  { type: 'reasoning.encrypted', data: 'cmVk', format: 'anthropic-claude-v1', index: 1 },
];
const later: ReasoningDetail = {
  type: 'reasoning.encrypted',
  data: 'CuwB',
  format: 'google-gemini-v1',
  index: 2,
  id: 'call_1',
};

const events: readonly GenerationEvent[] = [
  { type: 'start' },
  { type: 'reasoning', choice, text: 'Hm, ü\u2028.' },
  ...details.map((detail) => ({ type: 'reasoning-detail', choice, detail }) as const),
  { type: 'message', choice, phase: 'final_answer' },
  { type: 'text', choice, text: answer },
  {
    type: 'annotation',
    choice,
    annotation: {
      type: 'url_citation',
      url_citation: { url: 'https://example.org/', title: 'A', start_index: 0, end_index: 3 },
    },
  },
  { type: 'web-search', choice, search: 0 },
  { type: 'web-search-end', choice, search: 0, status: 'completed', action: { type: 'search', query: 'q' } },
  { type: 'reasoning-detail', choice, detail: later },
  { type: 'tool-call', choice, call: 0, id: 'call_1', name: 'weather' },
  { type: 'tool-arguments', choice, call: 0, text: '{"city": "Oslo"}' },
  { type: 'finish', choice, reason: 'tool_calls' },
];

const written = () => writtenResponse(() => events, { include: ['reasoning.encrypted_content'] });

/** Without the positions of the pieces. */
const expected = {
  content: [{ text: answer, phase: 'final_answer', position: 1 }],
  webSearches: [{ action: { type: 'search', query: 'q' }, position: 2 }],
  reasoningDetails: [...details.map((detail) => ({ ...detail, position: 0 })), { ...later, position: 3 }],
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city": "Oslo"}', position: 4 }],
};

const outputOf = (response: JsonObject | undefined) => response?.output as readonly JsonObject[];

test('an answer is read back as the turn it was', async () => {
  const output = outputOf((await written()).body);
  expect(output.map(({ type }) => type)).toEqual([
    'reasoning',
    'message',
    'web_search_call',
    'reasoning',
    'function_call',
  ]);
  expect(turnOf(...output)).toMatchObject(expected);
});

test('a stored answer is read back unchanged', async () => {
  const output = outputOf((await written()).stored);
  expect(output).toHaveLength(5);
  expect(output.map((item) => storedItem(item, wholeSource('previous_response_id')))).toMatchObject(output);
  expect(turnOf(...output)).toMatchObject(expected);
});

test('an answer is read back as the official SDK returns it, with its parsed fields', async () => {
  const { body } = await written();
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  const url = await listen(server);
  try {
    const client = new OpenAI({ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0 });
    const city = z.object({ city: z.string() });
    const { output, output_parsed } = await client.responses.parse({
      model: 'acme/one',
      input: 'Hi.',
      text: { format: zodTextFormat(z.object({ city: z.string(), degrees: z.number() }), 'weather') },
      tools: [zodResponsesFunction({ name: 'weather', parameters: city })],
    });
    expect(output_parsed).toEqual({ city: 'Oslo', degrees: 7 });
    const sent = JSON.parse(JSON.stringify(output)) as JsonObject[];
    expect(sent.at(-1)).toHaveProperty('parsed_arguments', { city: 'Oslo' });
    expect(turnOf(...sent)).toMatchObject(expected);
  } finally {
    await end(server);
  }
});
