/** Converts a valid speech body to the gateway's internal request. */
import type { SpeechRequest } from '../../core/generation/speech.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { given } from '../read-request.ts';
import type { SpeechBody } from './schema.ts';

/** The parts of a speech request. */
export interface SpeechInput extends AskedOnce {
  readonly request: SpeechRequest;
  /** Whether the audio comes in events, with what was used; else its bytes are the answer. */
  readonly asEvents: boolean;
}

export function readSpeech(body: SpeechBody): SpeechInput {
  const { model, input, voice } = body;
  return {
    ...readAsked(model, body),
    request: {
      input,
      parameters: {
        voice,
        ...given(body, ['instructions', 'response_format', 'speed']),
      },
    },
    asEvents: body.stream_format === 'sse',
  };
}
