/**
 * Mistral's protocol for speech: events with base64, and voices by their ids. Sources: mistralai 2.7.0, `audio.speech`;
 * docs.mistral.ai/studio/audio/text-to-speech.
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { nameOfVoice, type SpeechPiece, type SpeechProtocol } from '../core/generation/speech.ts';
import { asOptionalText } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';

type Event = Wire<{ type: string; audio_data: string; usage: object }>;

export const mistralSpeech: SpeechProtocol = {
  path: () => '/audio/speech',
  encode: ({ input, parameters: { voice, response_format: format = 'mp3' } }, { deployment }) => ({
    model: deployment.upstreamId,
    input,
    voice_id: nameOfVoice(voice),
    response_format: format,
    stream: true,
  }),
  reader: () => readEvent,
  readFailure,
};

function readEvent(data: string): SpeechPiece {
  const event = asObject<Event>(parseJson(data));
  refuseReported(event);
  if (event.type === 'speech.audio.done') return { isLast: true };
  const text = asOptionalText(event.audio_data);
  return text === undefined ? {} : { audio: Buffer.from(text, 'base64') };
}
