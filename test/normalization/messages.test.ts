/** Rules on messages: which earlier reasoning, searches and names a protocol takes back, and how long requests are. */
import { describe, expect, test } from 'vitest';
import type {
  AssistantMessage,
  ContentPart,
  GenerationRequest,
  Message,
  ReasoningDetail,
  WebSearchTool,
} from '../../lib/core/generation/request.ts';
import {
  onlyEncryptedReasoning,
  onlyFollowedReasoning,
  onlyPlacedSignatures,
  onlySignedReasoning,
} from '../../lib/normalization/conversation/returnable-reasoning.ts';
import { charactersOf, shorten } from '../../lib/normalization/conversation/truncation.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import type { MessageRule } from '../../lib/normalization/rule.ts';
import { onlyReasoningOf, stripNames } from '../../lib/normalization/rules.ts';
import {
  limitOfSearches,
  noWebSearch,
  stripWebSearches,
  unsupportedSearchFields,
} from '../../lib/normalization/web-search.ts';
import { anthropic } from '../../lib/providers/anthropic/provider.ts';
import { bedrock } from '../../lib/providers/bedrock/provider.ts';
import { google } from '../../lib/providers/google/provider.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { assistant, text, user } from '../protocols/requests.ts';

const reasoned = (value: string, others: object = {}): ReasoningDetail =>
  ({ type: 'reasoning.text', text: value, format: 'own', index: 0, ...others }) as ReasoningDetail;
const encrypted = (others: object = {}): ReasoningDetail =>
  ({ type: 'reasoning.encrypted', data: 'd', format: 'own', index: 0, ...others }) as ReasoningDetail;
const summary = (others: object = {}): ReasoningDetail =>
  ({ type: 'reasoning.summary', summary: 's', format: 'own', index: 0, ...others }) as ReasoningDetail;

function apply(rule: MessageRule, message: Message) {
  const request = testRequest({}, { messages: [message] });
  const { request: after, changes } = normalize(request, testTarget(), { parameters: [], messages: [rule] });
  return { message: after.messages[0], isSame: after.messages[0] === request.messages[0], changes };
}

const call = { id: 'call', name: 'f', arguments: '{}' };

/** Repairs of calls come first, so the rules are applied without them where a message has calls. */
function keptBy(rule: MessageRule, message: AssistantMessage): readonly ReasoningDetail[] {
  const edited = rule.apply(message, testTarget())?.message ?? message;
  return edited.role === 'assistant' ? edited.reasoningDetails : [];
}

describe('reasoning that can be returned', () => {
  const signed = reasoned('t', { signature: 's' });

  test.each<[string, MessageRule, readonly ReasoningDetail[], Partial<AssistantMessage>, readonly number[]]>([
    ['signed', onlySignedReasoning, [signed, reasoned('t'), encrypted(), summary()], {}, [0, 2]],
    [
      'encrypted, by the item',
      onlyEncryptedReasoning,
      [summary({ id: 'a' }), encrypted({ id: 'a' }), summary({ id: 'b' }), reasoned('t', { id: 'b' })],
      {},
      [0, 1],
    ],
    [
      'signatures, of texts and of calls in the message',
      onlyPlacedSignatures,
      [
        encrypted(),
        encrypted({ id: 'call' }),
        encrypted({ id: 'other' }),
        reasoned('t'),
        summary({ id: 'call' }),
      ],
      { toolCalls: [call] },
      [0, 1],
    ],
    ['followed by no output', onlyFollowedReasoning, [encrypted({ index: 0 })], { content: [] }, []],
    [
      'followed by an empty text',
      onlyFollowedReasoning,
      [encrypted({ index: 0 })],
      { content: text('') },
      [],
    ],
    ['followed by a text', onlyFollowedReasoning, [encrypted({ index: 0 })], { content: text('a') }, [0]],
    ['followed by a refusal', onlyFollowedReasoning, [encrypted({ index: 0 })], { refusal: 'No.' }, [0]],
    ['followed by a call', onlyFollowedReasoning, [encrypted({ index: 0 })], { toolCalls: [call] }, [0]],
    [
      'between a text and a call, and after them',
      onlyFollowedReasoning,
      [
        encrypted({ id: 'a', index: 0 }),
        encrypted({ id: 'b', index: 2 }),
        encrypted({ id: 'b', index: 3 }),
        encrypted({ id: 'c', index: 4 }),
      ],
      { content: text('a'), toolCalls: [call] },
      [0, 1, 2],
    ],
    [
      'before the last position',
      onlyFollowedReasoning,
      [1, 2, 3].map((position) => encrypted({ position, index: 0 })),
      { toolCalls: [{ ...call, position: 2 }], content: [{ type: 'text', text: 'a', position: 0 }] },
      [0],
    ],
    [
      'before the last search',
      onlyFollowedReasoning,
      [1, 4].map((position) => encrypted({ position, index: 0 })),
      { webSearches: [{ id: 'w', action: { type: 'search', query: 'q' }, position: 3 }] },
      [0],
    ],
  ])('%s', (_, rule, reasoningDetails, others, kept) => {
    const message = assistant('', { reasoningDetails, ...others });
    expect(keptBy(rule, message)).toEqual(kept.map((index) => reasoningDetails[index]));
  });

  test.each<[readonly ReasoningDetail[], object[]]>([
    [[encrypted()], []],
    [[], []],
    [[encrypted(), summary(), summary()], [{ before: '3 pieces', after: '1 pieces', action: 'override' }]],
    [[summary()], [{ before: '1 pieces', after: null, action: 'strip' }]],
  ])('is recorded by its number (%#)', (reasoningDetails, changes) => {
    const applied = apply(onlySignedReasoning, assistant('Hi', { reasoningDetails }));
    const param = 'messages.0.reasoning_details';
    expect(applied.changes).toEqual(
      changes.map((change) => ({ param, reason: onlySignedReasoning.reason, ...change })),
    );
    expect(applied.isSame).toBe(changes.length === 0);
  });

  test('is only in answers', () => {
    for (const rule of [onlySignedReasoning, onlyReasoningOf(), stripWebSearches]) {
      expect(apply(rule, user('Hi'))).toMatchObject({ isSame: true, changes: [] });
    }
  });
});

describe('reasoning of a provider family', () => {
  const foreign = encrypted({ format: 'other' });

  test.each<[string, Partial<AssistantMessage>, object, object[]]>([
    ['stays', { reasoningDetails: [summary()] }, { reasoningDetails: [summary()] }, []],
    [
      'loses only what is foreign',
      { reasoningDetails: [summary(), foreign], reasoning: 'abc' },
      { reasoningDetails: [summary()] },
      [
        {
          param: 'messages.0.reasoning_details',
          action: 'override',
          before: ['reasoning.summary (own)', 'reasoning.encrypted (other)'],
          after: ['reasoning.summary (own)'],
        },
      ],
    ],
    [
      'loses its plain text',
      { reasoning: 'abc' },
      { reasoningDetails: [] },
      [{ param: 'messages.0.reasoning_content', action: 'strip', before: '3 characters', after: null }],
    ],
    [
      'loses one character',
      { reasoning: 'a', reasoningDetails: [summary()] },
      { reasoningDetails: [summary()] },
      [{ param: 'messages.0.reasoning_content', before: '1 character' }],
    ],
  ])('%s', (_, given, expected, changes) => {
    const applied = apply(onlyReasoningOf('own', 'older'), assistant('Hi', given));
    expect(structuredClone(applied.message)).toEqual({ ...assistant('Hi'), ...expected });
    expect(applied.changes).toMatchObject(changes);
    expect(applied.isSame).toBe(changes.length === 0);
  });
});

describe('names of participants', () => {
  test('are stripped and recorded', () => {
    const { message, changes } = apply(stripNames, { ...user('Hi'), name: 'Ann' });
    expect(structuredClone(message)).toEqual(user('Hi'));
    expect(changes).toMatchObject([
      { param: 'messages.0.name', action: 'strip', before: 'Ann', after: null },
    ]);
    expect(apply(stripNames, user('Hi'))).toMatchObject({ isSame: true, changes: [] });
  });
});

describe('earlier searches of the web', () => {
  const search = { id: 'w', action: { type: 'search', query: 'q' }, position: 0 } as const;

  test.each([
    [[search], '1 search'],
    [[search, search], '2 searches'],
  ])('are stripped and counted (%#)', (webSearches, before) => {
    const { message, changes } = apply(stripWebSearches, assistant('Hi', { webSearches }));
    expect(structuredClone(message)).toEqual(assistant('Hi'));
    expect(changes).toMatchObject([{ param: 'messages.0.web_searches', before, after: null }]);
  });

  test('are not recorded where there are none', () => {
    expect(apply(stripWebSearches, assistant('Hi'))).toMatchObject({ isSame: true, changes: [] });
  });
});

describe('a tool for searches of the web', () => {
  const webSearch: WebSearchTool = { type: 'web_search', position: 0, contextSize: 'low' };

  test.each<[string, Partial<GenerationRequest>, readonly string[]]>([
    ['no search', {}, []],
    ['a field that is not set', { webSearch: { type: 'web_search', position: 0 } }, []],
    ['one field', { webSearch }, ['tools.0.search_context_size']],
    [
      'both fields',
      { webSearch: { ...webSearch, userLocation: { country: 'IT' } } },
      ['tools.0.search_context_size', 'tools.0.user_location'],
    ],
  ])('loses fields that the provider does not have: %s', (_, parts, stripped) => {
    const rule = unsupportedSearchFields('contextSize', 'userLocation');
    const result = rule(testRequest({}, parts), testTarget());
    expect(result?.changes.map(({ param }) => param) ?? []).toEqual(stripped);
    expect(result === undefined).toBe(stripped.length === 0);
    if (result)
      expect(structuredClone(result.request.webSearch)).toEqual({ type: 'web_search', position: 0 });
  });

  test('keeps the fields that the provider has', () => {
    expect(
      unsupportedSearchFields('userLocation')(testRequest({}, { webSearch }), testTarget()),
    ).toBeUndefined();
  });

  test('is refused only where a rule applies', () => {
    const run = (applies: boolean, parts: Partial<GenerationRequest>) => {
      const rule = noWebSearch(
        'contextSize',
        () => applies,
        (model) => `${model} has no search.`,
      );
      return normalize(testRequest({}, parts), testTarget(), { parameters: [rule], messages: [] });
    };
    expect(() => run(true, { webSearch })).toThrow(
      expect.objectContaining({ message: 'acme/one has no search.', param: 'tools.0.search_context_size' }),
    );
    expect(run(true, {}).changes).toEqual([]);
    expect(run(false, { webSearch }).changes).toEqual([]);
  });

  test('is what a limit of calls is for', () => {
    const run = (parts: Partial<GenerationRequest>) => {
      const request = testRequest({ max_tool_calls: 2 }, parts);
      return normalize(request, testTarget(), { parameters: [limitOfSearches], messages: [] }).request
        .parameters;
    };
    expect(run({ webSearch })).toEqual({ max_tool_calls: 2 });
    expect(run({ tools: [{ name: 'f' }] })).toEqual({});
  });
});

describe('the size of a request', () => {
  const sizeOf = (message: Message, parts: Partial<GenerationRequest> = {}) =>
    charactersOf(testRequest({}, { messages: [message], ...parts }));
  const holding = (...content: readonly ContentPart[]): Message => ({ role: 'user', content });
  const details = [summary()];

  test.each<[string, Message, number]>([
    ['a text', user('12345'), 5],
    ['nothing', holding(), 0],
    ['texts', holding({ type: 'text', text: '12' }, { type: 'text', text: '345' }), 5],
    ['an image, whatever its address', holding({ type: 'image', url: 'https://example.com/a.png' }), 4000],
    ['an eighth of a document', holding({ type: 'file', url: 'x'.repeat(80) }), 10],
    ['a result', { role: 'tool', toolCallId: 'call', content: text('123') }, 3],
    ['a call: its name and its arguments', assistant('', { toolCalls: [call, call] }), 6],
    ['reasoning', assistant('1', { reasoningDetails: details }), 1 + JSON.stringify(details).length],
  ])('%s', (_, message, size) => {
    expect(sizeOf(message)).toBe(size);
  });

  test('counts tools', () => {
    const tools = [{ name: 'f' }];
    expect(sizeOf(user('1'), { tools })).toBe(1 + JSON.stringify(tools).length);
  });
});

describe('a request that is shortened', () => {
  test('records each run of dropped messages', () => {
    const messages = [
      user('a'),
      user('b'),
      { role: 'system', content: text('c') } as const,
      user('d'),
      user('e'),
    ];
    expect(shorten(testRequest({}, { messages }), 0)?.changes).toMatchObject([
      { param: 'messages.1', before: { messages: 1 } },
      { param: 'messages.3', before: { messages: 1 } },
    ]);
  });

  test('keeps a result without its call apart from other calls', () => {
    const orphan: Message = { role: 'tool', toolCallId: 'other', content: text('1') };
    const messages = [user('a'), assistant('', { toolCalls: [call] }), orphan, user('b'), user('c')];
    expect(shorten(testRequest({}, { messages }), 10)?.changes).toMatchObject([{ before: { messages: 1 } }]);
  });
});

describe('the rules of a provider', () => {
  const sentTo = ({ generation }: Provider, messages: readonly Message[], owner = 'acme') => {
    if (!generation) throw new Error('The provider does not generate.');
    const target = testTarget({ owner, traits: { refuses: [], refusesWhileReasoning: [] } });
    const { request, changes } = normalize(testRequest({}, { messages }), target, generation.rules);
    return { messages: request.messages, params: changes.map(({ param }) => param) };
  };

  test.each([
    [anthropic, 'anthropic-claude-v1', reasoned('t', { signature: 's' })],
    [bedrock, 'anthropic-claude-v1', reasoned('t', { signature: 's' })],
    [google, 'google-gemini-v1', encrypted()],
  ])('give reasoning back to its own family only (%#)', (provider, format, detail) => {
    const own = { ...detail, format };
    const answers = [own, reasoned('t', { signature: 's', format: 'another-family' })].map((one) =>
      assistant('', { reasoningDetails: [one] }),
    );
    const { messages, params } = sentTo(provider, [user('Well?'), ...answers], 'anthropic');
    expect(messages.slice(1)).toMatchObject([{ reasoningDetails: [own] }, { reasoningDetails: [] }]);
    expect(params).toEqual(['messages.2.reasoning_details']);
  });

  test.each([anthropic, bedrock])('keep back reasoning of Claude without a signature (%#)', (provider) => {
    const detail = { ...reasoned('t'), format: 'anthropic-claude-v1' };
    const answer = assistant('', { reasoningDetails: [detail] });
    const { messages, params } = sentTo(provider, [user('Well?'), answer], 'anthropic');
    expect(messages[1]).toMatchObject({ reasoningDetails: [] });
    expect(params).toContain('messages.1.reasoning_details');
  });

  test('have records that name a message by its index in the list of the caller', () => {
    const calling = assistant('', { toolCalls: [call] });
    const marked: Message = { ...user('Hi'), cacheControl: { type: 'ephemeral' } };
    const result: Message = { role: 'tool', toolCallId: call.id, content: text('1') };
    const { params } = sentTo(openai, [user('Hi'), calling, marked, result]);
    expect(params).toEqual(['messages.3', 'messages.2.cache_control']);
  });
});
