/**
 * Speech at OpenAI and at hosts with its API. Sources: openai 7.57.0, resources/audio/speech (limits, voices, formats, and that `sse` is
 * not there for tts-1 and tts-1-hd); console.groq.com/docs/text-to-speech.
 */
import { dataEvent, type SandboxRequest, type SandboxResponse, streamAnswer } from '../exchange.ts';
import { checkKeys, numberOf, objectOf, textOf, wordSet } from '../json.ts';
import { audioOf, secondsOf } from '../speech.ts';
import { refuse, refuseMissing, refuseUnknown } from './refuse.ts';

const known = wordSet('model input voice instructions response_format speed stream_format');

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

const voices = wordSet('alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar');

const longest = 4_096;
const bytesPerSecond = 2_000;
const tokensPerSecond = 20;

export function answerSpeech({ body: sent, provider }: SandboxRequest): SandboxResponse {
  const body = objectOf(sent);
  checkKeys(body, known, refuseUnknown);
  for (const name of ['model', 'input', 'voice']) if (body[name] === undefined) refuseMissing(name);
  const [model, input, format] = [
    textOf(body.model),
    textOf(body.input),
    textOf(body.response_format) || 'mp3',
  ];
  const [voice, { id }] = [textOf(body.voice), objectOf(body.voice)];
  const type = types[format];
  if (type === undefined) refuse(`Invalid value: '${format}'.`, 'response_format', 'invalid_value');
  if ([...input].length > longest)
    refuse(
      `Invalid 'input': string too long. Expected a string with maximum length ${longest}.`,
      'input',
      'string_above_max_length',
    );
  if (provider === 'openai' && id === undefined && !voices.has(voice))
    refuse(`Invalid value: '${voice}'.`, 'voice', 'invalid_value');
  const speed = numberOf(body.speed) ?? 1;
  if (speed < 0.25 || speed > 4) refuse("Invalid 'speed'.", 'speed', 'invalid_value');
  const audio = audioOf(input, bytesPerSecond);
  if (body.stream_format !== 'sse')
    return { status: 200, headers: { 'content-type': type ?? '' }, chunks: audio };
  if (model.startsWith('tts-1'))
    refuse("'stream_format' is not supported with this model.", 'stream_format', 'unsupported_value');
  const [input_tokens, output_tokens] = [Math.ceil(input.length / 4), secondsOf(input) * tokensPerSecond];
  const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
  return streamAnswer([
    ...audio.map((piece) => dataEvent({ type: 'speech.audio.delta', audio: piece.toString('base64') })),
    dataEvent({ type: 'speech.audio.done', usage }),
  ]);
}
