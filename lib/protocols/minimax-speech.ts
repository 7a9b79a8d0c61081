/**
 * MiniMax's protocol for speech: events with audio as hexadecimal text, and failures with the status 200. Source: platform.minimax.io,
 * "Text to Speech (T2A) HTTP".
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { nameOfVoice, type SpeechPiece, type SpeechProtocol } from '../core/generation/speech.ts';
import { asOptionalText } from './json.ts';
import type { ErrorDialect } from './openai-chat/dialect.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';

type Event = Wire<{ data: object; error: object }>;
type Piece = Wire<{ audio: string; status: number }>;

/** `dialect`: how the host reports a failure. */
export const createMinimaxSpeech = (dialect: ErrorDialect): SpeechProtocol => ({
  path: () => '/t2a_v2',
  encode: ({ input, parameters: { voice, speed, response_format: format = 'mp3' } }, { deployment }) => ({
    model: deployment.upstreamId,
    text: input,
    stream: true,
    // Else the last event has all of the audio again.
    stream_options: { exclude_aggregated_audio: true },
    voice_setting: { voice_id: nameOfVoice(voice), ...(speed !== undefined && { speed }) },
    audio_setting: { format, channel: 1, ...(format === 'pcm' && { sample_rate: 24_000 }) },
  }),
  reader: () => (data) => readEvent(data, dialect),
  readFailure: (failure) => readFailure(failure, dialect),
});

/** The piece after the last has the status 2. */
const last = 2;

function readEvent(data: string, dialect: ErrorDialect): SpeechPiece {
  const event = asObject<Event>(parseJson(data));
  refuseReported(event, dialect);
  const { audio, status } = asObject<Piece>(event.data);
  const text = asOptionalText(audio) ?? '';
  return {
    ...(text !== '' && { audio: Buffer.from(text, 'hex') }),
    ...(status === last && { isLast: true }),
  };
}
