/** Google's own search: how it is requested, and how it appears in an answer. */
import { describe, expect, test } from 'vitest';
import type { ReasoningTraits } from '../../../lib/core/catalog/model.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  WebSearchTool,
} from '../../../lib/core/generation/request.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { googleVertex } from '../../../lib/providers/google-vertex/gemini.ts';
import { decodeFrames, toFrames } from '../answer.ts';
import { call, cited, detail, finish, text } from '../events.ts';
import { newRequest, newTarget, user } from '../requests.ts';

const levels: ReasoningTraits = { style: 'level', efforts: ['low', 'high'], defaultEffort: 'high' };
const webSearch: WebSearchTool = { position: 0, type: 'web_search' };
const weather = { name: 'get_weather' };
const declared = { functionDeclarations: [weather] };

function encode(
  parts: Partial<GenerationRequest>,
  parameters: GenerationParameters = {},
  protocol = googleGenerateContent,
) {
  const request = { ...newRequest([user('Hi')], parameters), ...parts };
  const {
    contents: _,
    generationConfig: __,
    ...others
  } = protocol.encode(request, newTarget({ reasoning: levels }));
  return others;
}

describe('the web search tool', () => {
  test('is declared', () => {
    expect(encode({ webSearch })).toStrictEqual({ tools: [{ googleSearch: {} }] });
  });

  test.each(['auto', 'none'] as const)('alone needs no word for %s', (choice) => {
    const declared = choice === 'none' ? {} : { tools: [{ googleSearch: {} }] };
    expect(encode({ webSearch }, { tool_choice: choice })).toStrictEqual(declared);
  });

  test.each<[GenerationParameters['tool_choice'], object]>([
    [undefined, { mode: 'VALIDATED' }],
    ['auto', { mode: 'VALIDATED' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'get_weather' }, { mode: 'ANY', allowedFunctionNames: ['get_weather'] }],
  ])('stands beside functions where the choice is %j', (choice, mode) => {
    const parameters = choice === undefined ? {} : { tool_choice: choice };
    expect(encode({ webSearch, tools: [weather] }, parameters)).toStrictEqual({
      tools: [{ googleSearch: {} }, declared],
      toolConfig: { functionCallingConfig: mode, includeServerSideToolInvocations: true },
    });
  });

  test('is not declared if no tool may be called', () => {
    expect(encode({ webSearch, tools: [weather] }, { tool_choice: 'none' })).toStrictEqual({
      tools: [declared],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    });
  });

  test('is declared next to functions on Vertex without a field that Vertex does not support', () => {
    const protocol = googleVertex.generation?.protocol;
    expect(encode({ webSearch, tools: [weather] }, {}, protocol)).toStrictEqual({
      tools: [{ googleSearch: {} }, declared],
      toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
    });
  });

  test('keeps unsupported options, for Google to reject', () => {
    const tool: WebSearchTool = { ...webSearch, contextSize: 'low', allowedDomains: ['a.example'] };
    expect(encode({ webSearch: tool }).tools).toStrictEqual([
      { googleSearch: { search_context_size: 'low', allowed_domains: ['a.example'] } },
    ]);
  });
});

const answer = (parts: readonly object[], others: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...others }],
});
const stop = { finishReason: 'STOP' };
const groundingChunks = [
  { web: { uri: 'https://a.example/', title: 'A' } },
  { web: { uri: 'https://b.example/', title: 'B' } },
  { web: { uri: 'https://a.example/', title: 'A' } },
];
const groundingSupports = [{ segment: { startIndex: 0, endIndex: 8 }, groundingChunkIndices: [1] }];
const annotation = cited('https://b.example/', 'B', 0, 8);
const searched = (queries: readonly string[], ...urls: readonly string[]) => {
  const sources = urls.map((url) => ({ type: 'url', url }));
  const action = { type: 'search', query: queries[0], queries, sources };
  return [
    { type: 'web-search', choice: 0, search: 0 },
    { type: 'web-search-end', choice: 0, search: 0, status: 'completed', action },
  ];
};

describe('an answer', () => {
  const queries = ['opening hours', 'now'];
  const expected = [
    { type: 'start' },
    text('At nine.'),
    annotation,
    ...searched(queries, 'https://a.example/', 'https://b.example/'),
    finish('stop'),
  ];

  test('has its search after the citations', () => {
    const groundingMetadata = { webSearchQueries: queries, groundingChunks, groundingSupports };
    const body = answer([{ text: 'At nine.' }], { ...stop, groundingMetadata });
    expect(googleGenerateContent.decodeBody(body)).toStrictEqual(expected);
  });

  test('is the same when it is streamed with grounding in pieces', () => {
    const frames = toFrames([
      answer([{ text: 'At nine.' }], { groundingMetadata: { webSearchQueries: queries } }),
      answer([{ text: '' }], { groundingMetadata: { groundingChunks, groundingSupports } }),
      answer([], { ...stop, groundingMetadata: {} }),
    ]);
    expect(decodeFrames(googleGenerateContent, frames)).toStrictEqual(expected);
  });

  test.each([{}, { groundingMetadata: {} }, { groundingMetadata: { searchEntryPoint: {} } }])(
    'that searched for nothing has no search: %j',
    (others) => {
      const events = googleGenerateContent.decodeBody(answer([{ text: 'Hi' }], { ...stop, ...others }));
      expect(events.map(({ type }) => type)).toStrictEqual(['start', 'text', 'finish']);
    },
  );

  test('with function calls has its search before them, and its steps as they go back', () => {
    const parts = [
      {
        toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['now'] }, id: 'a' },
        thoughtSignature: 'c2lnMQ==',
      },
      {
        toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: {}, id: 'a' },
        thoughtSignature: 'c2lnMg==',
      },
      { functionCall: { name: 'get_weather', args: {}, id: 'b' }, thoughtSignature: 'c2lnMw==' },
    ];
    const encrypted = (format: string, data: string, index: number, more = {}) =>
      detail({ type: 'reasoning.encrypted', data, format, index, ...more });
    const [began, ended] = searched(['now']);
    expect(googleGenerateContent.decodeBody(answer(parts, stop))).toStrictEqual([
      { type: 'start' },
      began,
      encrypted('google-gemini-step-v1', JSON.stringify(parts[0]), 0),
      encrypted('google-gemini-step-v1', JSON.stringify(parts[1]), 1),
      encrypted('google-gemini-v1', 'c2lnMw==', 3, { id: 'b' }),
      ...call(0, 'b', 'get_weather', '{}'),
      ended,
      finish('tool_calls'),
    ]);
  });
});
