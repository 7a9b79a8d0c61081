/** Claude's own web search: how it is requested, and how it appears in an answer. */
import { describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  WebSearchTool,
} from '../../../lib/core/generation/request.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { chatRecordings, hasRecordings } from '../../harness/recorded/recordings.ts';
import { joined } from '../answer.ts';
import { cited, finish, text } from '../events.ts';
import { decodeRecording } from '../recorded.ts';
import { newRequest, newTarget, user } from '../requests.ts';
import { block, decode, emptyText, end, inputPiece, message, start, textPiece } from './frames.ts';

const webSearch: WebSearchTool = { position: 0, type: 'web_search' };
const weather = { name: 'get_weather' };

function encode(parts: Partial<GenerationRequest>, parameters: GenerationParameters = {}) {
  const request = newRequest([user('Hello')], parameters, parts);
  const {
    model: _,
    max_tokens: __,
    messages: ___,
    ...others
  } = anthropicMessages.encode(request, newTarget());
  return others;
}

describe('the web search tool', () => {
  test('is declared next to the caller’s functions', () => {
    expect(encode({ webSearch, tools: [weather] }).tools).toStrictEqual([
      { type: 'web_search_20250305', name: 'web_search' },
      { name: 'get_weather', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  test('has its location, domains and limit', () => {
    const userLocation = { city: 'Rome', country: 'IT', timezone: 'Europe/Rome' };
    const tool = { ...webSearch, userLocation, allowedDomains: ['example.com'] };
    expect(encode({ webSearch: tool }, { max_tool_calls: 3 })).toStrictEqual({
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 3,
          user_location: { type: 'approximate', ...userLocation },
          allowed_domains: ['example.com'],
        },
      ],
    });
  });

  test('can be forced and forbidden', () => {
    const forced = encode({ webSearch }, { tool_choice: 'web_search' });
    expect(forced.tool_choice).toStrictEqual({ type: 'tool', name: 'web_search' });
    expect(encode({ webSearch }, { tool_choice: 'none' }).tool_choice).toStrictEqual({ type: 'none' });
  });

  test('is kept for a JSON answer, which the protocol does not know', () => {
    const body = anthropicMessages.encode(
      newRequest([user('Hello')], { response_format: { type: 'json_object' } }, { webSearch }),
      newTarget(),
    );
    expect(body.tools).toStrictEqual([{ type: 'web_search_20250305', name: 'web_search' }]);
    expect(body.response_format).toStrictEqual({ type: 'json_object' });
  });

  test('a limit of calls without a search is sent for the provider to reject', () => {
    expect(encode({ tools: [weather] }, { max_tool_calls: 3 })).toMatchObject({ max_tool_calls: 3 });
  });
});

const found = (id: string, content: unknown) => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content,
});
const page = (url: string) => ({ type: 'web_search_result', url, title: 'A', encrypted_content: 'x' });
const searching = (id: string, input: object) => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input,
});
const action = (query: string, ...urls: readonly string[]) => ({
  type: 'search',
  query,
  queries: [query],
  sources: urls.map((url) => ({ type: 'url', url })),
});
const source = {
  type: 'web_search_result_location',
  url: 'https://a.example/',
  title: 'A',
  cited_text: 'Nine.',
};

describe('an answer', () => {
  const expected: readonly Partial<GenerationEvent>[] = [
    { type: 'start' },
    { type: 'web-search', choice: 0, search: 0, id: 'srv_1' },
    {
      type: 'web-search-end',
      choice: 0,
      search: 0,
      status: 'completed',
      action: action('opening hours', 'https://a.example/', 'https://b.example/'),
    },
    text('One more. '),
    { type: 'web-search', choice: 0, search: 1, id: 'srv_2' },
    { type: 'web-search-end', choice: 0, search: 1, status: 'failed', action: action('now') },
    text('At nine.'),
    cited('https://a.example/', 'A', 10, 18),
    finish('stop'),
  ];
  const pages = [page('https://a.example/'), page('https://b.example/')];
  const failed = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };

  test('has its searches in place, and citations of their results', () => {
    const body = message({
      stop_reason: 'end_turn',
      content: [
        searching('srv_1', { query: 'opening hours' }),
        found('srv_1', pages),
        { type: 'text', text: 'One more. ' },
        searching('srv_2', { query: 'now' }),
        found('srv_2', failed),
        { type: 'text', text: 'At nine.', citations: [source] },
      ],
    });
    const events = joined(anthropicMessages.decodeBody(body));
    expect(events.filter(({ type }) => type !== 'usage')).toStrictEqual(expected);
  });

  test('is the same when it is streamed', () => {
    const events = decode(
      start(),
      ...block(0, searching('srv_1', {}), inputPiece('{"query":"opening '), inputPiece('hours"}')),
      ...block(1, found('srv_1', pages)),
      ...block(2, emptyText, textPiece('One more. ')),
      ...block(3, searching('srv_2', {}), inputPiece('{"query":"now"}')),
      ...block(4, found('srv_2', failed)),
      ...block(
        5,
        { ...emptyText, citations: [] },
        { type: 'citations_delta', citation: source },
        textPiece('At nine.'),
      ),
      ...end('end_turn'),
    );
    expect(joined(events).filter(({ type }) => type !== 'usage')).toStrictEqual(expected);
  });

  test('has each search ended once, and none that was not begun', () => {
    const body = message({
      stop_reason: 'end_turn',
      content: [
        found('srv_2', pages),
        searching('srv_1', { query: 'now' }),
        found('srv_1', []),
        found('srv_1', pages),
      ],
    });
    expect(anthropicMessages.decodeBody(body).slice(1, -1)).toStrictEqual([
      { type: 'web-search', choice: 0, search: 0, id: 'srv_1' },
      { type: 'web-search-end', choice: 0, search: 0, status: 'completed', action: action('now') },
      finish('stop'),
    ]);
  });

  test('has no id of a search without one, and no address of a result without one', () => {
    const body = message({
      content: [searching('', { query: 7 }), found('', [page(''), page('https://a.example/')])],
    });
    expect(anthropicMessages.decodeBody(body).slice(1, 3)).toStrictEqual([
      { type: 'web-search', choice: 0, search: 0 },
      {
        type: 'web-search-end',
        choice: 0,
        search: 0,
        status: 'completed',
        action: action('', 'https://a.example/'),
      },
    ]);
  });

  test('that pauses during a search ends, and the search has failed', () => {
    const body = message({
      stop_reason: 'pause_turn',
      content: [{ type: 'text', text: 'A moment.' }, searching('srv_1', { query: 'now' })],
    });
    expect(anthropicMessages.decodeBody(body).slice(1, -1)).toStrictEqual([
      text('A moment.'),
      { type: 'web-search', choice: 0, search: 0, id: 'srv_1' },
      { type: 'web-search-end', choice: 0, search: 0, status: 'failed', action: action('now') },
      { ...finish('stop'), isUnclear: true },
    ]);
  });

  test.skipIf(!hasRecordings)('as recorded has each search with its query and its sources', async () => {
    const recordings = chatRecordings().filter(({ name }) => name.includes('anthropic-web-search-tool'));
    expect(recordings).toHaveLength(2);
    for (const recording of recordings) {
      const events = await decodeRecording(anthropicMessages, recording);
      const begun = events.filter(({ type }) => type === 'web-search');
      const ended = events.filter((event) => event.type === 'web-search-end');
      expect(ended.length).toBe(begun.length);
      expect(ended.length).toBeGreaterThan(0);
      for (const { action, status } of ended) {
        expect(status).toBe('completed');
        expect(action).toMatchObject({ type: 'search', query: expect.stringMatching(/./) });
      }
      expect(ended[0]?.action.sources).not.toHaveLength(0);
      expect(events.some(({ type }) => type === 'annotation')).toBe(true);
    }
  });
});
