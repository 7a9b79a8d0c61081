/** xAI's protocol for speech: one model, which its body does not name. Source: docs.x.ai/developers/model-capabilities/audio/text-to-speech. */
import { nameOfVoice, type SpeechProtocol } from '../core/generation/speech.ts';
import { readFailure } from './openai-chat/failure.ts';

/** Samples of 16 bits, as callers expect of `pcm`. */
const sampleRate = 24_000;

export const xaiSpeech: SpeechProtocol = {
  path: () => '/tts',
  encode: ({ input, parameters: { voice, response_format: codec = 'mp3' } }) => ({
    text: input,
    voice_id: nameOfVoice(voice),
    language: 'auto',
    output_format: { codec, sample_rate: sampleRate },
  }),
  reader: () => undefined,
  readFailure,
};
