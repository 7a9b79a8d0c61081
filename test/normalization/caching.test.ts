/** Cache markers: which of the caller's a target gets, and which the gateway adds. */
import { describe, expect, test } from 'vitest';
import type {
  AssistantMessage,
  CacheControl,
  GenerationRequest,
  Message,
} from '../../lib/core/generation/request.ts';
import {
  type Caching,
  cacheMarkers,
  findMarkers,
  stripCacheMarkers,
} from '../../lib/normalization/caching.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

const short: CacheControl = { type: 'ephemeral' };
const hour: CacheControl = { type: 'ephemeral', ttl: '1h' };
const fiveMinutes: CacheControl = { type: 'ephemeral', ttl: '5m' };

const said = (role: 'system' | 'user', text: string, cacheControl?: CacheControl): Message => ({
  role,
  content: [{ type: 'text', text }],
  ...(cacheControl && { cacheControl }),
});
const answer = (text: string): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  toolCalls: [],
  reasoningDetails: [],
});
const result: Message = { role: 'tool', toolCallId: 'a', content: [] };
const image: Message = { role: 'user', content: [{ type: 'image', url: 'https://example.com/a.png' }] };

const everywhere: Caching = { sections: () => ['tools', 'system', 'messages'], max: 4, automatic: true };

function apply(caching: Partial<Caching>, parts: Partial<GenerationRequest>) {
  const given = testRequest({}, parts);
  const applied = cacheMarkers({ ...everywhere, ...caching })(given, testTarget());
  const { request, changes } = applied ?? { request: given, changes: [] };
  return { isUnchanged: applied === undefined, request, changes, marked: markedIn(request) };
}

/** Where the markers are, and their lifetimes. */
function markedIn(request: GenerationRequest): readonly string[] {
  return findMarkers(request).map(({ section, message, part, cacheControl }) =>
    [section, message, part, cacheControl.ttl].filter((step) => step !== undefined).join('.'),
  );
}

const inEachSection: Partial<GenerationRequest> = {
  tools: [{ name: 'f' }, { name: 'g', cacheControl: short }],
  messages: [
    said('system', 'Be brief.', short),
    { role: 'user', content: [{ type: 'text', text: 'One?', cacheControl: short }] },
    answer('One.'),
    said('user', 'Two?', short),
  ],
};

describe('the markers of the caller', () => {
  test('stay where the target takes them, without a record', () => {
    const { isUnchanged, marked } = apply({}, inEachSection);
    expect(isUnchanged).toBe(true);
    expect(marked).toEqual(['tools', 'system.0', 'messages.1.0', 'messages.3']);
  });

  test.each<[Caching['sections'], readonly string[], readonly string[]]>([
    [() => ['tools'], ['tools'], ['messages.0.cache_control', 'messages.1.content.0', 'messages.3']],
    [() => ['system', 'messages'], ['system.0', 'messages.1.0', 'messages.3'], ['tools.1.cache_control']],
    [() => ['tools', 'system'], ['tools', 'system.0'], ['messages.1.content.0', 'messages.3']],
    [() => [], [], ['tools.1', 'messages.0', 'messages.1.content.0', 'messages.3']],
  ])('are stripped from sections that the target does not cache (%#)', (sections, marked, stripped) => {
    const result = apply({ sections }, inEachSection);
    expect(result.marked).toEqual(marked);
    expect(result.changes).toHaveLength(stripped.length);
    for (const [index, path] of stripped.entries()) {
      expect(result.changes[index]?.param).toContain(path);
      expect(result.changes[index]).toMatchObject({ action: 'strip', before: short, after: null });
      expect(result.changes[index]?.reason).toContain('at this position');
    }
    expect(Object.keys(result.request.messages[3] ?? {}).includes('cacheControl')).toBe(
      marked.includes('messages.3'),
    );
  });

  test.each([
    [4, ['tools', 'system.0', 'messages.1.0', 'messages.3'], 0],
    [3, ['system.0', 'messages.1.0', 'messages.3'], 1],
    [1, ['messages.3'], 3],
    [0, [], 4],
  ])('of more than %i, the last ones are used', (max, marked, lost) => {
    const result = apply({ max }, inEachSection);
    expect(result.marked).toEqual(marked);
    expect(result.changes).toHaveLength(lost);
    for (const change of result.changes) {
      expect(change).toMatchObject({ action: 'strip', before: short, after: null });
      expect(change.reason).toContain('The last ones are used');
    }
  });

  test('in results of tools and in answers are found', () => {
    const messages: readonly Message[] = [
      said('user', 'Hi'),
      { ...answer('Hm'), content: [{ type: 'text', text: 'Hm', cacheControl: short }] },
      { ...result, content: [{ type: 'text', text: '1', cacheControl: hour }] },
    ];
    expect(apply({}, { messages }).marked).toEqual(['messages.1.0.1h', 'messages.2.0.1h']);
  });

  test('are all stripped for a provider that takes none, and none are added', () => {
    const given = testRequest({}, inEachSection);
    const applied = stripCacheMarkers(given, testTarget());
    expect(applied && markedIn(applied.request)).toEqual([]);
    expect(applied?.changes).toHaveLength(4);
    expect(stripCacheMarkers(testRequest(), testTarget())).toBeUndefined();
  });
});

describe('the lifetimes of markers', () => {
  const chain = (...lifetimes: readonly CacheControl[]) => ({
    messages: lifetimes.map((cacheControl, index) => said('user', `${index}`, cacheControl)),
  });

  test.each([
    ['a short one after a long one stays', [hour, short], ['0.1h', '1'], []],
    ['a short one before a long one becomes long', [short, hour], ['0.1h', '1.1h'], ['messages.0']],
    ['five minutes are short', [fiveMinutes, hour], ['0.1h', '1.1h'], ['messages.0']],
    ['only the ones before it', [short, hour, short], ['0.1h', '1.1h', '2'], ['messages.0']],
    ['five minutes do not change others', [short, fiveMinutes], ['0', '1.5m'], []],
    ['long ones stay', [hour, { type: 'ephemeral', ttl: '301s' }], ['0.1h', '1.301s'], []],
  ] as const)('%s', (_, lifetimes, marked, changed) => {
    const { changes, marked: found } = apply({}, chain(...lifetimes));
    expect(found).toEqual(marked.map((name) => `messages.${name}`));
    expect(changes.map(({ param }) => param)).toEqual(changed.map((path) => `${path}.cache_control`));
    for (const change of changes) {
      expect(change).toMatchObject({ action: 'override', before: lifetimes[0], after: hour });
    }
  });

  test.each([
    ['60s', '5m', true],
    ['300s', '300s', false],
    ['10m', '1h', true],
    ['3600s', '3600s', false],
    ['24h', '1h', true],
    ['forever', 'forever', false],
    [undefined, undefined, false],
  ])('that the target does not have is the next longer one, on record: %s', (ttl, sent, isChanged) => {
    const asked: CacheControl = { type: 'ephemeral', ...(ttl !== undefined && { ttl }) };
    const { changes, marked } = apply({ lifetimes: ['5m', '1h'] }, chain(asked));
    expect(marked).toEqual([sent === undefined ? 'messages.0' : `messages.0.${sent}`]);
    expect(changes).toMatchObject(
      isChanged
        ? [{ param: 'messages.0.cache_control', before: asked, after: { type: 'ephemeral', ttl: sent } }]
        : [],
    );
  });

  test('a marker before one that becomes longer becomes as long', () => {
    const { marked, changes } = apply(
      { lifetimes: ['5m', '1h'] },
      chain(short, { type: 'ephemeral', ttl: '600s' }),
    );
    expect(marked).toEqual(['messages.0.1h', 'messages.1.1h']);
    expect(changes).toHaveLength(2);
  });

  test('a marker that is dropped does not change the others', () => {
    const { marked } = apply({ max: 1 }, chain(hour, short));
    expect(marked).toEqual(['messages.1']);
  });
});

describe('a request without markers', () => {
  const conversation = [
    said('system', 'Be brief.'),
    said('user', 'One?'),
    answer('One.'),
    said('user', '2?'),
  ];

  test('gets them at the last tool, the instructions and both ends of the turn', () => {
    const tools = [{ name: 'f' }, { name: 'g' }];
    const { marked, changes, request } = apply({}, { tools, messages: conversation });
    expect(marked).toEqual(['tools', 'system.0', 'messages.1', 'messages.3']);
    expect(request.tools.map(({ cacheControl }) => cacheControl)).toEqual([undefined, short]);
    expect(changes).toEqual([
      expect.objectContaining({
        param: 'cache_control',
        action: 'add',
        before: null,
        after: ['tools.1', 'messages.0', 'messages.1', 'messages.3'],
      }),
    ]);
  });

  test.each<[string, readonly Message[], readonly string[]]>([
    ['a first turn is read once', [said('user', 'One?')], []],
    [
      'the last of several instructions',
      [said('system', 'A'), said('system', 'B'), said('user', '?')],
      ['system.1'],
    ],
    [
      'blank instructions are passed over',
      [said('system', 'A'), said('system', ' '), said('user', '?')],
      ['system.0'],
    ],
    ['only blank instructions', [said('system', ''), said('user', '?')], []],
    [
      'a later instruction is part of the turn',
      [...conversation, said('system', 'C')],
      ['system.0', 'messages.1', 'messages.4'],
    ],
    [
      'a blank end is passed over',
      [...conversation.slice(0, 3), said('user', ' ')],
      ['system.0', 'messages.1'],
    ],
    ['an answer at the end', conversation.slice(0, 3), ['system.0', 'messages.1']],
    ['a result without text', [said('user', 'A'), answer(''), result], ['messages.0', 'messages.2']],
    ['an image', [image, answer('A'), image], ['messages.0', 'messages.2']],
    ['a request that begins with an answer', [answer('A'), said('user', 'B')], ['messages.1']],
    ['two answers', [said('user', 'A'), answer('B'), answer('C'), said('user', 'D')], ['messages.3']],
    [
      'instructions are not the end of an earlier turn',
      [said('system', 'A'), answer('B'), said('user', 'C')],
      ['system.0', 'messages.2'],
    ],
  ])('%s', (_, messages, marked) => {
    expect(apply({}, { messages }).marked).toEqual(marked);
  });

  test.each<[Caching['sections'], readonly string[]]>([
    [() => ['tools'], ['tools']],
    [() => ['system'], ['system.0']],
    [() => ['messages'], ['messages.1', 'messages.3']],
    [() => [], []],
  ])('gets them only where the target takes them (%#)', (sections, marked) => {
    const tools = [{ name: 'f' }];
    const applied = apply({ sections }, { tools, messages: conversation });
    expect(applied.marked).toEqual(marked);
    expect(applied.isUnchanged).toBe(marked.length === 0);
  });

  test('gets none where the provider caches by itself', () => {
    expect(apply({ automatic: false }, { messages: conversation }).isUnchanged).toBe(true);
  });
});
