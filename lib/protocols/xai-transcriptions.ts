/**
 * xAI's protocol for transcription. Sources: docs.x.ai/developers/rest-api-reference/inference/speech-to-text, and
 * docs.x.ai/developers/model-capabilities/audio/speech-to-text: the file is the last part of the form.
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { type TranscriptionProtocol, wantsSpeakers } from '../core/generation/transcription.ts';
import { asOptionalText } from './json.ts';
import { readFailure } from './openai-chat/failure.ts';
import { asAmount, asSpeaker, audioFile, orNone, spansIn, textIn } from './transcripts.ts';

export const xaiTranscriptions: TranscriptionProtocol = {
  listName: (name) => name,
  path: () => '/stt',
  encode: (request, audio, { deployment }) => ({
    fields: {
      model: deployment.upstreamId,
      language: request.parameters.language,
      keyterm: request.parameters.keywords,
      ...(wantsSpeakers(request) && { diarize: true }),
    },
    files: [audioFile(audio)],
  }),
  decode(body) {
    const answer = asObject<Body>(body);
    return {
      text: textIn(answer),
      language: asOptionalText(answer.language),
      words: orNone(spansIn(answer.words, ({ speaker }) => asSpeaker(speaker))),
      duration: asAmount(answer.duration),
    };
  },
  readFailure,
};

type Body = Wire<{ language: string; words: unknown[]; duration: number }> & JsonObject;
