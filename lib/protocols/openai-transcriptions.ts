/**
 * OpenAI's protocol for transcription, which other hosts have, too. Sources: openai 7.57.0, `audio/transcriptions` and
 * `audio/translations`; console.groq.com/docs/speech-text. What shows when something was said also shows how long the audio is.
 */
import type { Target } from '../core/catalog/model.ts';
import { asArray, asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { JsonObject } from '../core/generation/request.ts';
import {
  isStreamed,
  type Segment,
  type Transcript,
  type TranscriptEvent,
  type TranscriptionProtocol,
  type TranscriptionRequest,
  wantsSpeakers,
} from '../core/generation/transcription.ts';
import { type Counted, plainUsage } from '../core/generation/usage.ts';
import { asCount, asOptionalText, asText, isMiscounted } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';
import { asAmount, asSpeaker, audioFile, orNone, spansIn, textIn } from './transcripts.ts';

export const openaiTranscriptions: TranscriptionProtocol = {
  path: ({ translates }) => (translates ? '/audio/translations' : '/audio/transcriptions'),
  encode: (request, audio, target) => ({
    fields: {
      model: target.deployment.upstreamId,
      ...request.parameters,
      response_format: formatFor(request, target),
      ...(isStreamed(request, target) && { stream: true }),
    },
    files: [audioFile(audio)],
  }),
  decode,
  readEvent,
  readFailure,
};

/** The gateway makes the caller's format of the one that has most. */
function formatFor(request: TranscriptionRequest, target: Target): string {
  const { timestamps, speakers } = target.model.traits.transcription ?? {};
  if (wantsSpeakers(request) && speakers) return 'diarized_json';
  return timestamps && !isStreamed(request, target) ? 'verbose_json' : 'json';
}

type Body = Wire<{
  language: string;
  languages: unknown[];
  logprobs: unknown[];
  duration: number;
  segments: unknown[];
  words: unknown[];
  usage: object;
}> &
  JsonObject;

function decode(body: unknown): Transcript {
  const answer = asObject<Body>(body);
  const usage = asObject<Wire<{ seconds: number }> & JsonObject>(answer.usage);
  return {
    text: textIn(answer),
    language: asOptionalText(answer.language),
    ...(answer.languages !== undefined && {
      languages: asArray(answer.languages).map((one) => asObject(one)),
    }),
    ...(answer.logprobs !== undefined && { logprobs: asArray(answer.logprobs) }),
    duration: asAmount(answer.duration),
    segments: orNone(segmentsIn(answer.segments)),
    words: orNone(spansIn(answer.words, () => undefined)),
    chargedSeconds: asAmount(usage.seconds),
    counted: countedIn(usage),
    rawUsage: usage,
  };
}

type Event = Wire<{ type: string; delta: string; logprobs: unknown[] }> & JsonObject;

function readEvent(data: string): TranscriptEvent | undefined {
  const event = asObject<Event>(parseJson(data));
  refuseReported(event);
  const { type, delta, logprobs } = event;
  if (type === 'transcript.text.done') return { type: 'done', transcript: decode(event) };
  if (type === 'transcript.text.delta')
    return {
      type: 'delta',
      text: asText(delta),
      ...(logprobs !== undefined && { logprobs: asArray(logprobs) }),
    };
  const [segment] = type === 'transcript.text.segment' ? segmentsIn([event]) : [];
  return segment && { type: 'segment', segment };
}

function segmentsIn(list: unknown): readonly Segment[] {
  return asArray(list).flatMap((element) => {
    const { id: _, start: __, end: ___, text: ____, speaker, type: _____, ...facts } = asObject(element);
    return spansIn([element], () => asSpeaker(speaker)).map((span) => ({ ...span, facts }));
  });
}

type Counts = Wire<{ input_tokens: number; output_tokens: number; input_token_details: object }> & JsonObject;

function countedIn(usage: JsonObject): Counted | undefined {
  const { input_tokens, output_tokens, input_token_details } = usage as Counts;
  if (input_tokens === undefined || isMiscounted(input_tokens, output_tokens)) return undefined;
  const { audio_tokens } = asObject<Wire<{ audio_tokens: number }>>(input_token_details);
  return {
    usage: {
      ...plainUsage(asCount(input_tokens), asCount(output_tokens)),
      ...(audio_tokens !== undefined && { inputAudioTokens: asCount(audio_tokens) }),
    },
    raw: usage,
  };
}
