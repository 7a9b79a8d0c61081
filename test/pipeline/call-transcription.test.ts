/** What a transcription is charged for: what the provider counts, else how long the audio is, else it is unknown; never 0. */
import { expect, test } from 'vitest';
import type { Price } from '../../lib/core/catalog/price.ts';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import type { Transcript } from '../../lib/core/generation/transcription.ts';
import { maxMs, noteTranscript } from '../../lib/pipeline/transcription-use.ts';
import { cohereTranscriptions } from '../../lib/protocols/cohere-transcriptions.ts';
import { googleTranscriptions } from '../../lib/protocols/google-transcriptions.ts';
import { mistralTranscriptions } from '../../lib/protocols/mistral-transcriptions.ts';
import { openaiTranscriptions } from '../../lib/protocols/openai-transcriptions.ts';
import { togetherTranscriptions } from '../../lib/protocols/together-transcriptions.ts';
import { xaiTranscriptions } from '../../lib/protocols/xai-transcriptions.ts';
import { testTarget } from '../harness/matrix/model.ts';

const byHour: Price = { input: 0, output: 0, cachedInput: null, cacheWrite: null, audioHour: 360_000_000 };
const byToken: Price = {
  input: 2_500,
  output: 10_000,
  cachedInput: null,
  cacheWrite: null,
  audioInput: 6_000,
};

function noted(transcript: Transcript, price: Price | undefined, ms?: number) {
  const attempt: AttemptFacts = {
    provider: 'p',
    model: 'a/b',
    region: 'global',
    at: 0,
    inputTokens: 0,
    uncounted: 1,
    ...(price && { price: { from: 0, price } }),
  };
  noteTranscript(attempt, transcript, { ...(ms !== undefined && { ms }) });
  const { usage, uncounted, estimated } = attempt;
  return { ms: usage?.audioMs, tokens: usage?.promptTokens, uncounted, estimated };
}

const request = { translates: false, parameters: {} };
const openai = (body: object) => openaiTranscriptions.decode({ text: 'Hi', ...body }, request);
const tokens = {
  type: 'tokens',
  input_tokens: 30,
  output_tokens: 5,
  input_token_details: { audio_tokens: 28 },
};

test.each<[string, Transcript, Price | undefined, number | undefined, object]>([
  [
    'seconds that are charged',
    openai({ usage: { type: 'duration', seconds: 9 }, duration: 8.2 }),
    byHour,
    1,
    { ms: 9_000 },
  ],
  ['the duration', openai({ duration: 8.470000267028809 }), byHour, 1, { ms: 8_470 }],
  [
    'seconds of Mistral',
    mistralTranscriptions.decode({ text: '', usage: { prompt_audio_seconds: 3 } }, request),
    byHour,
    1,
    { ms: 3_000 },
  ],
  [
    'the duration of xAI',
    xaiTranscriptions.decode({ text: '', duration: 2.25 }, request),
    byHour,
    1,
    { ms: 2_250 },
  ],
  ['the container', openai({}), byHour, 1_234, { ms: 1_234, estimated: true }],
  [
    'the container, where counts are none',
    openai({ duration: 0, usage: { seconds: '9' } }),
    byHour,
    1_234,
    { ms: 1_234, estimated: true },
  ],
  ['the container beside tokens', openai({ usage: tokens }), byHour, 1_234, { ms: 1_234, estimated: true }],
  [
    'what was heard, where the container lies',
    openai({ text: 'a'.repeat(4_000) }),
    byHour,
    1,
    { ms: 100_000, estimated: true },
  ],
  ['nothing', openai({}), byHour, undefined, { uncounted: 1 }],
  ['tokens', openai({ usage: tokens }), byToken, 1_234, { tokens: 30 }],
  ['seconds, where tokens are charged', openai({ duration: 3 }), byToken, 1_234, { uncounted: 1 }],
  ['seconds without a price', openai({ duration: 3 }), undefined, undefined, { ms: 3_000 }],
])('%s', (_, transcript, price, ms, expected) => {
  const { tokens: _tokens, ...found } = noted(transcript, price, ms);
  expect({ ...found, ...('tokens' in expected && { tokens: _tokens }) }).toEqual({
    ms: undefined,
    uncounted: undefined,
    estimated: undefined,
    ...expected,
  });
});

test('a container that says almost nothing reserves what its bytes may be', () => {
  const bytes = Buffer.alloc(640_000);
  expect(maxMs({ bytes, type: 'webm', ms: 1 })).toBe(10_000);
  expect(maxMs({ bytes, type: 'webm', ms: 60_000 })).toBe(60_000);
});

test.each([{}, { text: null }, { text: 7 }, null, []])('%j is no transcript', (body) => {
  const all = [openaiTranscriptions, mistralTranscriptions, xaiTranscriptions, cohereTranscriptions];
  for (const { decode } of [...all, googleTranscriptions])
    expect(() => decode(body, request)).toThrow(expect.objectContaining({ kind: 'upstream_invalid_answer' }));
});

test('what has no times is left out, and an end is not before its start', () => {
  const { segments, words } = openai({
    segments: [
      { start: 2, end: 1, text: 'a', speaker: 0, avg_logprob: -1 },
      { text: 'b' },
      'c',
      { start: 'x', end: 3 },
    ],
    words: [
      { word: 'a', start: 0, end: 1 },
      { word: 'b', start: -1, end: 2 },
    ],
  });
  expect(segments).toEqual([{ start: 2, end: 2, text: 'a', speaker: '0', facts: { avg_logprob: -1 } }]);
  expect(words).toEqual([{ start: 0, end: 1, text: 'a' }]);
});

const readBoth = (data: object) =>
  [openaiTranscriptions, mistralTranscriptions].map(({ readEvent }) =>
    readEvent?.(JSON.stringify(data), request),
  );

test('an event without a text is none, a failure is thrown, and the last has a text', () => {
  expect(readBoth({ type: 'transcript.text.segment', speaker: 'A' })).toEqual([undefined, undefined]);
  expect(readBoth({ type: 'transcription.segment', start: 0, end: 1, text: 'Hi', speaker_id: 2 })[1]).toEqual(
    {
      type: 'segment',
      segment: { start: 0, end: 1, text: 'Hi', speaker: '2' },
    },
  );
  expect(() => readBoth({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } })).toThrow(
    expect.objectContaining({ kind: 'upstream_rate_limited' }),
  );
  for (const type of ['transcript.text.done', 'transcription.done'])
    expect(() => readBoth({ type })).toThrow(expect.objectContaining({ kind: 'upstream_invalid_answer' }));
});

const gemini = (candidate: object, more: object = {}) =>
  googleTranscriptions.decode({ candidates: [candidate], ...more }, request);

test('the turns of speakers are a text, and their words have times where the model gives them', () => {
  const parts = [
    { thought: true, text: 'Two people.' },
    {
      audioTranscription: {
        languageCode: 'en-GB',
        speakerLabel: 'spk_1',
        words: [
          { word: 'Hello', startOffset: '0s', endOffset: '0.450s' },
          { word: 'you', startOffset: '0.5', endOffset: '1s' },
        ],
      },
    },
    { audioTranscription: { text: 'Hi.', speakerLabel: 'spk_2' } },
  ];
  expect(gemini({ content: { parts }, finishReason: 'STOP' })).toMatchObject({
    text: 'Hello you Hi.',
    language: 'en-GB',
    words: [{ text: 'Hello', start: 0, end: 0.45, speaker: 'spk_1' }],
  });
  expect(gemini({ finishReason: 'STOP' })).toMatchObject({ text: '', words: undefined });
});

test.each<[string, object, object?]>([
  ['upstream_cut', { content: { parts: [{ text: 'Half of' }] }, finishReason: 'MAX_TOKENS' }],
  ['upstream_content_policy', { finishReason: 'PROHIBITED_CONTENT' }],
  ['upstream_content_policy', {}, { candidates: [], promptFeedback: { blockReason: 'OTHER' } }],
])('Gemini: %s', (kind, candidate, more) => {
  expect(() => gemini(candidate, more)).toThrow(expect.objectContaining({ kind }));
});

test('Together writes who speaks beside its segments', () => {
  const speaking = { ...request, parameters: { response_format: 'diarized_json' as const } };
  const audio = { bytes: Buffer.from('a'), type: 'wav' as const, base64: '' };
  expect(togetherTranscriptions.encode(speaking, audio, testTarget()).fields).toMatchObject({
    response_format: 'verbose_json',
    diarize: true,
  });
  const span = { start: 0, end: 1, text: 'Hi' };
  const body = { text: 'Hi', segments: [span], speaker_segments: [{ ...span, speaker_id: 'SPEAKER_01' }] };
  expect(togetherTranscriptions.decode(body, speaking).segments).toEqual([
    { ...span, speaker: 'SPEAKER_01' },
  ]);
  expect(togetherTranscriptions.decode({ ...body, speaker_segments: null }, speaking).segments).toHaveLength(
    1,
  );
});
