/**
 * Alibaba's protocol for speech, of the qwen3-tts models: events with samples of 16 bits, 24,000 in a second, in base64. Source:
 * alibabacloud.com/help/en/model-studio/qwen-tts-non-realtime-api; qwen-tts-realtime-server-events (`characters` are what is billed).
 */
import { asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { nameOfVoice, type SpeechPiece, type SpeechProtocol } from '../core/generation/speech.ts';
import { inputOnly } from '../core/generation/usage.ts';
import { asCount, asOptionalText, isMiscounted } from './json.ts';
import { readFailure, readReportedFailure } from './openai-chat/failure.ts';
import { withWavHeader } from './wav-header.ts';

export const alibabaSpeech: SpeechProtocol = {
  headers: { 'x-dashscope-sse': 'enable' },
  // A Chinese character counts as two.
  maxPerCharacter: 2,
  path: () => '/services/aigc/multimodal-generation/generation',
  encode: ({ input: text, parameters: { voice, instructions } }, { deployment }) => ({
    model: deployment.upstreamId,
    input: {
      text,
      voice: nameOfVoice(voice),
      language_type: 'Auto',
      ...(instructions !== undefined && { instructions }),
    },
  }),
  reader: ({ parameters }) => withWavHeader(parameters.response_format, readEvent),
  readFailure,
};

type Event = Wire<{ code: string; message: string; output: object; usage: object }>;

/** Until the last event, the reason why it ends is the text `null`. */
function readEvent(data: string): SpeechPiece {
  const { code, message, output, usage } = asObject<Event>(parseJson(data));
  const failure = asOptionalText(code) && readReportedFailure({ error: { code, message } });
  if (failure) throw failure;
  const { audio, finish_reason } = asObject<Wire<{ audio: object; finish_reason: string }>>(output);
  const text = asOptionalText(asObject<Wire<{ data: string }>>(audio).data) ?? '';
  const piece = text === '' ? {} : { audio: Buffer.from(text, 'base64') };
  if (finish_reason !== 'stop') return piece;
  const { characters } = asObject<Wire<{ characters: number }>>(usage);
  if (characters === undefined || isMiscounted(characters)) return { ...piece, isLast: true };
  const counted = { usage: { ...inputOnly(0), characters: asCount(characters) }, raw: asObject(usage) };
  return { ...piece, isLast: true, counted };
}
