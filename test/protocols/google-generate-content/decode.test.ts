/** Decoding Gemini's answers, streamed or not. */
import { describe, expect, test } from 'vitest';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { decodeFrames, errorOf, expectGrammar, fold, only, toFrames } from '../answer.ts';
import { citation } from '../events.ts';

const answer = (parts: unknown[], others: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...others }],
});
const stop = { finishReason: 'STOP' };
const usageMetadata = {
  promptTokenCount: 10,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 6,
  totalTokenCount: 20,
};
const stream = (...items: unknown[]) => decodeFrames(googleGenerateContent, toFrames(items));
const whole = googleGenerateContent.decodeBody;

/** Ids are generated and differ from answer to answer. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'id' ? 'id' : inner)));

describe('a stream and a body of the same answer', () => {
  const functionCall = { name: 'f', args: { x: [1, { y: 'z' }] } };
  const logprobsResult = {
    chosenCandidates: [{ token: 'a', logProbability: -0.5 }],
    topCandidates: [{ candidates: [{ token: 'a', logProbability: -0.5 }] }],
  };
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
    groundingSupports: [{ segment: { startIndex: 8, endIndex: 13 }, groundingChunkIndices: [0] }],
  };
  const cases = {
    'thoughts, text and usage': {
      frames: [
        { ...answer([{ text: 'thi', thought: true }]), usageMetadata: { trafficType: 'ON_DEMAND' } },
        {
          ...answer([{ text: 'nk', thought: true }]),
          usageMetadata: { promptTokenCount: 10, totalTokenCount: 11 },
        },
        answer([{ text: 'Hel' }]),
        { ...answer([{ text: 'lo' }], stop), usageMetadata },
      ],
      body: { ...answer([{ text: 'think', thought: true }, { text: 'Hello' }], stop), usageMetadata },
    },
    'a signature on the text': {
      frames: [answer([{ text: 'Hello' }]), answer([{ text: '', thoughtSignature: 'c2ln' }], stop)],
      body: answer([{ text: 'Hello', thoughtSignature: 'c2ln' }], stop),
    },
    'parallel calls, one without arguments': {
      frames: [
        answer([{ functionCall, thoughtSignature: 'c2ln' }]),
        answer([{ functionCall: { name: 'g' } }]),
        answer([{ text: '' }], stop),
      ],
      body: answer([{ functionCall, thoughtSignature: 'c2ln' }, { functionCall: { name: 'g' } }], stop),
    },
    logprobs: {
      frames: [answer([{ text: 'a' }], { logprobsResult }), answer([], stop)],
      body: answer([{ text: 'a' }], { ...stop, logprobsResult }),
    },
    'citations after letters of two bytes': {
      frames: [answer([{ text: 'Übe' }]), answer([{ text: 'ré noun.' }], { ...stop, groundingMetadata })],
      body: answer([{ text: 'Überé noun.' }], { ...stop, groundingMetadata }),
    },
  } satisfies Record<string, { frames: unknown[]; body: unknown }>;

  test.each(Object.entries(cases))('%s', (_, { frames, body }) => {
    const streamed = stream(...frames);
    const decoded = whole(body);
    expectGrammar(streamed);
    expectGrammar(decoded);
    expect(withoutIds(fold(streamed))).toStrictEqual(withoutIds(fold(decoded)));
  });

  test('have their expected content', () => {
    const calls = only(whole(cases['parallel calls, one without arguments'].body));
    expect(calls.calls).toMatchObject([
      { name: 'f', arguments: '{"x":[1,{"y":"z"}]}' },
      { name: 'g', arguments: '{}' },
    ]);
    expect(calls.finish).toStrictEqual(['tool_calls']);
    expect(calls.calls[0]?.id).toMatch(/^call_.{16,}/);
    expect(calls.details).toStrictEqual([
      {
        type: 'reasoning.encrypted',
        data: 'c2ln',
        id: calls.calls[0]?.id,
        format: 'google-gemini-v1',
        index: 0,
      },
    ]);
    expect(only(whole(cases['a signature on the text'].body)).details).toStrictEqual([
      { type: 'reasoning.encrypted', data: 'c2ln', format: 'google-gemini-v1', index: 0 },
    ]);
    expect(only(whole(cases.logprobs.body)).logprobs).toStrictEqual([
      { token: 'a', logprob: -0.5, bytes: null, top_logprobs: [{ token: 'a', logprob: -0.5, bytes: null }] },
    ]);
    const cited = only(whole(cases['citations after letters of two bytes'].body));
    expect(cited.annotations).toStrictEqual([citation('https://a.example', 'A', 6, 11)]);
    expect(cited.text.slice(6, 11)).toBe('noun.');
  });

  test('count thoughts as output, and cached tokens once', () => {
    const { body } = cases['thoughts, text and usage'];
    const counts = {
      cacheWriteTokens: 0,
      cachedTokens: 0,
      promptTokens: 10,
      completionTokens: 10,
      reasoningTokens: 6,
    };
    expect(fold(whole(body)).usage).toStrictEqual(counts);
    const cached = { ...body, usageMetadata: { ...usageMetadata, cachedContentTokenCount: 9 } };
    expect(fold(whole(cached)).usage).toStrictEqual({ ...counts, cachedTokens: 9 });
  });
});

describe('citations', () => {
  const cite = (parts: unknown[], segment: object) =>
    only(
      whole(
        answer(parts, {
          ...stop,
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
            groundingSupports: [{ segment, groundingChunkIndices: [0, 9] }],
          },
        }),
      ),
    ).annotations;

  test('count from the part that they name', () => {
    const parts = [{ text: 'hm', thought: true }, { text: 'é1 ' }, { text: 'é2' }];
    expect(cite(parts, { partIndex: 2, startIndex: 2, endIndex: 3, text: '2' })).toMatchObject([
      { url_citation: { start_index: 4, end_index: 5 } },
    ]);
  });

  test('count bytes of their part alone', () => {
    const parts = [{ text: 'hm', thought: true }, { text: 'é1 ' }, { text: 'é2' }];
    expect(cite(parts, { partIndex: 2, startIndex: 2, endIndex: 3 })).toMatchObject([
      { url_citation: { start_index: 4, end_index: 5 } },
    ]);
  });

  test('stay where Google says if their text is not found, or the part is unknown', () => {
    expect(cite([{ text: 'one two' }], { startIndex: 4, endIndex: 7, text: 'six' })).toMatchObject([
      { url_citation: { start_index: 4, end_index: 7 } },
    ]);
    expect(cite([{ text: 'one two' }], { partIndex: 7, startIndex: 4, endIndex: 7 })).toMatchObject([
      { url_citation: { start_index: 4, end_index: 7 } },
    ]);
  });

  test('are found by their text if the offsets are wrong', () => {
    expect(cite([{ text: 'one two' }], { startIndex: 40, endIndex: 43, text: 'two' })).toMatchObject([
      { url_citation: { start_index: 4, end_index: 7 } },
    ]);
  });
});

describe('arguments in pieces', () => {
  const piece = (functionCall: object, others: object = {}) => answer([{ functionCall }], others);

  test('are joined to complete arguments', () => {
    const events = stream(
      piece({ name: 'f', willContinue: true }),
      piece({
        partialArgs: [{ jsonPath: '$.place', stringValue: 'San ', willContinue: true }],
        willContinue: true,
      }),
      piece({ partialArgs: [{ jsonPath: '$.place', stringValue: 'Francisco' }], willContinue: true }),
      piece({
        partialArgs: [
          { jsonPath: '$.days[0].name', stringValue: 'Monday' },
          { jsonPath: '$.days[1].name', stringValue: 'Tuesday' },
          { jsonPath: "$['is hot']", boolValue: false },
          { jsonPath: '$.degrees', numberValue: 0 },
          { jsonPath: '$.nothing', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
      piece({}),
      piece({ name: 'g', willContinue: true }),
      answer([], stop),
    );
    expectGrammar(events);
    const [first, second] = only(events).calls;
    expect(JSON.parse(first?.arguments ?? '')).toStrictEqual({
      place: 'San Francisco',
      days: [{ name: 'Monday' }, { name: 'Tuesday' }],
      'is hot': false,
      degrees: 0,
      nothing: null,
    });
    expect(second?.arguments).toBe('{}');
  });

  test.each([
    ['with the call', [{ name: 'f', args: { a: 1 } }], { a: 1 }],
    ['behind the call', [{ name: 'f', willContinue: true }, { args: { a: 1 } }], { a: 1 }],
    [
      'in quotes, and in lists of lists',
      [
        {
          name: 'f',
          partialArgs: [
            { jsonPath: '$["b c"][0][1]', stringValue: 'lost' },
            { jsonPath: '$["b c"][0][0]', stringValue: 'x' },
            { jsonPath: '$["b c"][0][1]', stringValue: 'y' },
          ],
        },
      ],
      { 'b c': [['x', 'y']] },
    ],
    [
      'of a text that another path interrupts, which begins again',
      [
        {
          name: 'f',
          partialArgs: [
            { jsonPath: '$.a', stringValue: 'x', willContinue: true },
            { jsonPath: '$.b', stringValue: 'y' },
            { jsonPath: '$.a', stringValue: 'z' },
          ],
        },
      ],
      { a: 'z', b: 'y' },
    ],
    [
      'below a text, which they replace',
      [
        {
          name: 'f',
          partialArgs: [
            { jsonPath: '$.a', stringValue: 'x' },
            { jsonPath: '$.a.b', numberValue: 1 },
          ],
        },
      ],
      { a: { b: 1 } },
    ],
    [
      'without a path',
      [{ name: 'f', partialArgs: [{ jsonPath: '$', stringValue: 'x' }, { stringValue: 'y' }] }],
      {},
    ],
  ])('may be %s', (_, pieces, expected) => {
    const [found, ...others] = only(stream(...pieces.map((one) => piece(one)), answer([], stop))).calls;
    expect([JSON.parse(found?.arguments ?? ''), others]).toStrictEqual([expected, []]);
  });

  test('without a call are none', () => {
    const events = stream(piece({ args: { a: 1 } }), answer([{ text: 'Hi' }], stop));
    expect(only(events)).toMatchObject({ text: 'Hi', calls: [], finish: ['stop'] });
  });

  test('may be signed late, and belong to the last call', () => {
    const events = stream(
      piece({ name: 'f', id: 'a', willContinue: true }),
      answer([{ functionCall: { args: {} }, thoughtSignature: 'c2ln' }], stop),
    );
    expect(only(events)).toMatchObject({ calls: [{ id: 'a' }], details: [{ id: 'a', data: 'c2ln' }] });
  });

  test('cannot reach a prototype or create a huge list', () => {
    const partialArgs = [
      { jsonPath: '$.__proto__.polluted', stringValue: 'yes' },
      { jsonPath: '$.list[999999]', stringValue: 'far' },
    ];
    const events = stream(piece({ name: 'f', partialArgs }, stop));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(only(events).calls[0]?.arguments.length).toBeLessThan(100);
  });
});

describe('the end of an answer', () => {
  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['MODEL_ARMOR', 'content_filter'],
    ['OTHER', 'stop'],
    ['MALFORMED_FUNCTION_CALL', 'stop'],
    ['SOMETHING_NEW', 'stop'],
  ])('%s after text means %s', (finishReason, expected) => {
    expect(only(stream(answer([{ text: 'a' }], { finishReason }))).finish).toStrictEqual([expected]);
  });

  test.each(['MALFORMED_FUNCTION_CALL', 'OTHER', 'UNEXPECTED_TOOL_CALL', 'MISSING_THOUGHT_SIGNATURE'])(
    '%s without output is a failure',
    (finishReason) => {
      const body = answer([{ text: 'hm', thought: true }], { finishReason });
      expect(errorOf(() => whole(body))).toMatchObject({ kind: 'upstream_failed' });
      expect(errorOf(() => stream(body))).toMatchObject({ kind: 'upstream_failed' });
    },
  );

  test('an answer whose length limit was used up by thoughts is regular', () => {
    const events = whole({
      candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }],
      usageMetadata,
    });
    expectGrammar(events);
    expect(only(events)).toMatchObject({ text: '', finish: ['length'] });
  });

  test('length stays length even if there was a call', () => {
    const body = answer([{ functionCall: { name: 'f' } }], { finishReason: 'MAX_TOKENS' });
    expect(only(whole(body)).finish).toStrictEqual(['length']);
  });

  test('a blocked prompt is filtered content', () => {
    const refused = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata };
    for (const events of [whole(refused), stream(refused)]) {
      expectGrammar(events);
      expect(fold(events)).toMatchObject({
        choices: { 0: { finish: ['content_filter'] } },
        usage: { promptTokens: 10 },
      });
    }
  });

  test('every candidate has its own', () => {
    const candidate = (index: number, value: string) => ({
      index,
      content: { parts: [{ text: value }] },
      ...stop,
    });
    const events = whole({ candidates: [candidate(0, 'a'), candidate(1, 'b')] });
    expectGrammar(events);
    expect(fold(events).choices).toMatchObject({ 0: { text: 'a' }, 1: { text: 'b' } });
  });
});

describe('usage', () => {
  test('of a stream has the tier that is named last, and its start the first', () => {
    const events = stream(
      { ...answer([{ text: 'a' }]), usageMetadata: { trafficType: 'ON_DEMAND_FLEX' } },
      { ...answer([], stop), usageMetadata: { ...usageMetadata, trafficType: 'ON_DEMAND' } },
    );
    expect(events[0]).toStrictEqual({ type: 'start', serviceTier: 'flex' });
    expect(events.at(-1)).toMatchObject({ type: 'usage', serviceTier: 'default' });
    expect(stream(answer([{ text: 'a' }], stop))[0]).toStrictEqual({ type: 'start' });
    const [frame] = toFrames([{ usageMetadata: { trafficType: 'ON_DEMAND' } }]);
    expect(frame && googleGenerateContent.decodeStream().onFrame(frame)).toStrictEqual([]);
  });

  test('of a stream is known before its end', () => {
    const decoder = googleGenerateContent.decodeStream();
    const [frame] = toFrames([{ ...answer([{ text: 'a' }]), usageMetadata }]);
    expect(decoder.usageSoFar?.()).toBeUndefined();
    if (frame) decoder.onFrame(frame);
    expect(decoder.usageSoFar?.()).toMatchObject({ promptTokens: 10 });
  });

  test('has the prompts of tools, and no more cached tokens than there are', () => {
    const counts = { ...usageMetadata, toolUsePromptTokenCount: 3, cachedContentTokenCount: 50 };
    const body = { ...answer([{ text: 'a' }], stop), usageMetadata: counts };
    expect(fold(whole(body)).usage).toMatchObject({ promptTokens: 13, cachedTokens: 13 });
  });

  test.each([
    [{ totalTokenCount: 20 }, { promptTokens: 0 }],
    [{ promptTokenCount: 10 }, { promptTokens: 10, completionTokens: 0 }],
    [{ candidatesTokenCount: 10 }, undefined],
  ])('of %j is %j', (counts, expected) => {
    const counted = googleGenerateContent.readUsage({ usageMetadata: counts })?.usage;
    if (expected) expect(counted).toMatchObject(expected);
    else expect(counted).toBeUndefined();
  });
});

describe('a malformed answer', () => {
  test('more choices than anyone can ask for are invalid', () => {
    expect(errorOf(() => whole({ candidates: [{ index: 999_999, ...stop }] })).kind).toBe(
      'upstream_invalid_answer',
    );
  });

  test('lines that are not JSON are ignored', () => {
    expect(only(stream(answer([{ text: 'a' }]), '{"candidates":[{"con', answer([], stop))).text).toBe('a');
  });

  test('an error inside a stream ends it', () => {
    const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };
    expect(errorOf(() => stream(answer([{ text: 'a' }]), error))).toMatchObject({
      kind: 'upstream_overloaded',
    });
  });
});
