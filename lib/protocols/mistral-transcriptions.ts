/**
 * Mistral's protocol for transcription. Sources: docs.mistral.ai, API reference, "Audio Transcriptions"; mistralai 2.7.0,
 * `TranscriptionResponse` and `TranscriptionStreamEvents`; @ai-sdk/mistral 4.0.17 of terms without spaces and commas.
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { JsonObject } from '../core/generation/request.ts';
import {
  isStreamed,
  isTimed,
  type Transcript,
  type TranscriptEvent,
  type TranscriptionProtocol,
  type TranscriptionRequest,
  wantsSpeakers,
  wantsWords,
} from '../core/generation/transcription.ts';
import { asOptionalText, asText } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';
import { asAmount, asSpeaker, audioFile, orNone, spansIn, textIn } from './transcripts.ts';

export const mistralTranscriptions: TranscriptionProtocol = {
  listName: (name) => name,
  path: () => '/audio/transcriptions',
  encode: (request, audio, target) => ({
    fields: {
      model: target.deployment.upstreamId,
      ...fieldsOf(request),
      ...(isStreamed(request, target) && { stream: true }),
    },
    files: [audioFile(audio)],
  }),
  decode,
  readEvent,
  readFailure,
};

function decode(body: unknown, request: TranscriptionRequest): Transcript {
  const answer = asObject<Body>(body);
  const usage = asObject<Wire<{ prompt_audio_seconds: number }> & JsonObject>(answer.usage);
  const spans = orNone(speakingSpans(answer.segments));
  return {
    text: textIn(answer),
    language: asOptionalText(answer.language),
    ...(asksForWords(request) ? { words: spans } : { segments: spans }),
    chargedSeconds: asAmount(usage.prompt_audio_seconds),
    rawUsage: usage,
  };
}

const speakingSpans = (list: unknown) => spansIn(list, ({ speaker_id }) => asSpeaker(speaker_id));

function readEvent(data: string, request: TranscriptionRequest): TranscriptEvent | undefined {
  const event = asObject<Wire<{ type: string; text: string }> & JsonObject>(parseJson(data));
  refuseReported(event);
  const { type, text } = event;
  if (type === 'transcription.done') return { type: 'done', transcript: decode(event, request) };
  if (type === 'transcription.text.delta') return { type: 'delta', text: asText(text) };
  const [segment] = type === 'transcription.segment' ? speakingSpans([event]) : [];
  return segment && { type: 'segment', segment };
}

type Body = Wire<{ language: string; segments: unknown[]; usage: object }> & JsonObject;

/** Speakers come with segments only. */
const asksForWords = (request: TranscriptionRequest): boolean =>
  wantsWords(request) && !wantsSpeakers(request);

function fieldsOf(request: TranscriptionRequest): JsonObject {
  const { language, temperature, keywords } = request.parameters;
  return {
    ...(language !== undefined && { language }),
    ...(temperature !== undefined && { temperature }),
    ...(keywords && { context_bias: keywords.map((term) => term.trim().replace(/[\s,]+/g, '_')) }),
    ...(isTimed(request) && { timestamp_granularities: [asksForWords(request) ? 'word' : 'segment'] }),
    ...(wantsSpeakers(request) && { diarize: true }),
  };
}
