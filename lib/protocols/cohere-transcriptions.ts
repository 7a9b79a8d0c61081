/** Cohere's protocol for transcription: a text alone, without times. Source: docs.cohere.com/reference/create-audio-transcription. */
import { asObject } from '../core/formats/json-object.ts';
import type { TranscriptionProtocol } from '../core/generation/transcription.ts';
import { readFailure } from './cohere-chat/failure.ts';
import { audioFile, textIn } from './transcripts.ts';

export const cohereTranscriptions: TranscriptionProtocol = {
  path: () => '/audio/transcriptions',
  encode: ({ parameters: { language, temperature } }, audio, { deployment }) => ({
    fields: {
      model: deployment.upstreamId,
      language,
      ...(temperature !== undefined && { temperature }),
    },
    files: [audioFile(audio)],
  }),
  decode: (body) => ({ text: textIn(asObject(body)) }),
  readFailure,
};
