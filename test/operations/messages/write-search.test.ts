/** Web searches of other providers in the blocks of Anthropic's, and the sources of a text as its citations. */

import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { isOwnSignature } from '../../../lib/operations/messages/signature.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { askMessages } from '../../harness/messages.ts';
import { counted, finish, start, text, usage, written } from './writing.ts';

const sources = [
  { type: 'url', url: 'https://one.example/' },
  { type: 'url', url: 'https://two.example/', title: 'Two' },
  { type: 'url', url: '' },
];
const begun: GenerationEvent = { type: 'web-search', choice: 0, search: 0 };
const ended = (
  action: Readonly<Record<string, unknown>>,
  status: 'completed' | 'failed' = 'completed',
): GenerationEvent => ({ type: 'web-search-end', choice: 0, search: 0, status, action });
const search = { type: 'search', query: 'colours', sources };
const cited = (url: string, start_index: number, end_index: number, title = 'One'): GenerationEvent => ({
  type: 'annotation',
  choice: 0,
  annotation: { type: 'url_citation', url_citation: { url, title, start_index, end_index } },
});
const end = [finish(), counted];
const own = expect.stringMatching(/^mgw1\./);

describe('a search', () => {
  test('is a call of the provider and its result, before the text that follows', async () => {
    const message = await written([start, begun, ended(search), text('Blue.'), ...end]);
    const [call, result, said] = message.content;
    expect(call).toEqual({
      type: 'server_tool_use',
      id: expect.stringMatching(/^srvtoolu_\w+$/),
      name: 'web_search',
      input: { query: 'colours' },
    });
    const found = { type: 'web_search_result', page_age: null, encrypted_content: own };
    expect(result).toEqual({
      type: 'web_search_tool_result',
      tool_use_id: call?.id,
      content: [
        { ...found, title: 'https://one.example/', url: 'https://one.example/' },
        { ...found, title: 'Two', url: 'https://two.example/' },
      ],
    });
    expect(said).toEqual({ type: 'text', text: 'Blue.' });
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.server_tool_use).toEqual({ web_search_requests: 1, web_fetch_requests: 0 });
  });

  test('that failed is an error in its result', async () => {
    const { content } = await written([start, begun, ended({ ...search, sources: [] }, 'failed'), ...end]);
    expect(content[1]?.content).toEqual({ type: 'web_search_tool_result_error', error_code: 'unavailable' });
  });

  test('each has an id of its own, and opening a page is none', async () => {
    const page = ended({ type: 'open_page', url: 'https://one.example/' });
    const { content, usage: counts } = await written([start, ended(search), page, ended(search), ...end]);
    const ids = content.flatMap(({ type, id }) => (type === 'server_tool_use' ? [id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
    expect(counts.server_tool_use).toMatchObject({ web_search_requests: 2 });
  });

  test('with several queries has all of them', async () => {
    const { content } = await written([start, ended({ ...search, queries: ['colours', 'paint'] }), ...end]);
    expect(content[0]?.input).toEqual({ query: 'colours', queries: ['colours', 'paint'] });
  });

  test('is counted as the provider counts', async () => {
    const counts = { type: 'usage', usage: { ...usage, webSearches: 3 } } as const;
    const message = await written([start, ended(search), text('Blue.'), finish(), counts]);
    expect(message.usage.server_tool_use).toMatchObject({ web_search_requests: 3 });
  });
});

describe('a source', () => {
  const citation = {
    type: 'web_search_result_location',
    url: 'https://one.example/',
    title: 'One',
    encrypted_index: own,
  };

  test('is a citation of the text, with the part that it supports', async () => {
    const events = [text('It is '), text('blue.'), cited('https://one.example/', 6, 10), text(' Yes.')];
    const { content } = await written([start, ...events, ...end]);
    expect(content).toEqual([
      { type: 'text', text: 'It is blue. Yes.', citations: [{ ...citation, cited_text: 'blue' }] },
    ]);
  });

  test('of a long part, or of an unknown one, quotes at most what Anthropic does', async () => {
    const long = 'a'.repeat(400);
    const events = [
      text(long),
      cited('https://one.example/', 0, 400, ''),
      cited('https://one.example/', 0, 0),
    ];
    const { content } = await written([start, ...events, ...end]);
    expect(content[0]?.citations).toEqual([
      { ...citation, cited_text: 'a'.repeat(150), title: null },
      { ...citation, cited_text: '' },
    ]);
  });

  test('quotes what begins in the first 256 thousand characters of an answer', async () => {
    const kilo = 1_024;
    const pieces = [text('a'.repeat(256 * kilo - 1)), text('bc'), text('de')];
    const at = 256 * kilo - 1;
    const quotes = [cited('https://one.example/', at, at + 2), cited('https://two.example/', at + 2, at + 4)];
    const { content } = await written([start, ...pieces, ...quotes, ...end]);
    expect(content[0]?.citations).toMatchObject([{ cited_text: 'bc' }, { cited_text: '' }]);
  });

  test('of a text that a call has ended is left out', async () => {
    const call = { type: 'tool-call', choice: 0, call: 0, id: 'call_0', name: 'now' } as const;
    const { content } = await written([start, text('a'), call, cited('https://one.example/', 0, 1), ...end]);
    expect(content[0]).toEqual({ type: 'text', text: 'a' });
  });
});

describe('a search of a simulated provider', () => {
  const gateway = useGateway();
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
  const models = ['openai/gpt-5.5', 'google/gemini-3.5-flash'];

  test.each(models.flatMap((model) => [true, false].map((stream) => ({ model, stream }))))(
    '$model, streamed: $stream',
    async ({ model, stream }) => {
      const { content, usage: counts } = await askMessages(gateway(), { model, stream, tools });
      const result = content.find(({ type }) => type === 'web_search_tool_result');
      const call = content.find(({ type }) => type === 'server_tool_use');
      expect(result?.tool_use_id).toBe(call?.id);
      const found = result?.content as { url: string; encrypted_content: string }[];
      expect(found.every((one) => isOwnSignature(one.encrypted_content))).toBe(true);
      expect(content.some(({ type }) => type === 'text')).toBe(true);
      expect(counts.server_tool_use).toMatchObject({ web_search_requests: expect.any(Number) });
    },
  );
});

const gateway = useGateway();

test.each([true, false])('Grok searches the web, streamed: %s', async (stream) => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
  const messages = [{ role: 'user', content: 'sandbox search the news of gardens' }];
  const body = { model: 'xai/grok-4.3', stream, tools, tool_choice: { type: 'auto' }, messages };
  const message = await askMessages(gateway(), body);
  expect(message.stop_reason).toBe('end_turn');
  const types = message.content.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['server_tool_use', 'web_search_tool_result', 'text']));
  expect(message.usage).toMatchObject({ server_tool_use: { web_search_requests: 1 } });
});
