/**
 * Mistral's protocol for transcription. Sources: docs.mistral.ai, API reference, "Audio Transcriptions"; mistralai 2.7.0,
 * `TranscriptionResponse`; @ai-sdk/mistral 4.0.17 of terms without spaces and commas.
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import {
  isTimed,
  type TranscriptionProtocol,
  type TranscriptionRequest,
  wantsSpeakers,
  wantsWords,
} from '../core/generation/transcription.ts';
import { asOptionalText } from './json.ts';
import { readFailure } from './openai-chat/failure.ts';
import { asAmount, asSpeaker, audioFile, orNone, spansIn, textIn } from './transcripts.ts';

export const mistralTranscriptions: TranscriptionProtocol = {
  listName: (name) => name,
  path: () => '/audio/transcriptions',
  encode: (request, audio, { deployment }) => ({
    fields: { model: deployment.upstreamId, ...fieldsOf(request) },
    files: [audioFile(audio)],
  }),
  decode(body, request) {
    const answer = asObject<Body>(body);
    const usage = asObject<Wire<{ prompt_audio_seconds: number }> & JsonObject>(answer.usage);
    const spans = orNone(spansIn(answer.segments, ({ speaker_id }) => asSpeaker(speaker_id)));
    return {
      text: textIn(answer),
      language: asOptionalText(answer.language),
      ...(asksForWords(request) ? { words: spans } : { segments: spans }),
      chargedSeconds: asAmount(usage.prompt_audio_seconds),
      rawUsage: usage,
    };
  },
  readFailure,
};

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
