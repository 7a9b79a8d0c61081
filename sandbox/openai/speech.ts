/**
 * Speech at OpenAI and at hosts with its API, at Mistral, MiniMax and xAI. Sources: openai 7.57.0, resources/audio/speech (limits, voices, formats, and that `sse` is
 * not there for tts-1 and tts-1-hd); console.groq.com/docs/text-to-speech; mistralai 2.7.0, `audio.speech`, and
 * docs.mistral.ai/studio/audio/text-to-speech (fields, formats, events); docs.x.ai/developers/model-capabilities/audio/text-to-speech (fields,
 * voices, codecs, 15,000 characters); platform.minimax.io, "Text to Speech (T2A) HTTP"; alibabacloud.com/help/en/model-studio,
 * qwen-tts-non-realtime-api (fields, events, voices, 600 characters).
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { dataEvent, Refusal, type SandboxRequest, type SandboxResponse, streamAnswer } from '../exchange.ts';
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

const dashscope = '/dashscope/services/aigc/multimodal-generation/generation';

export const isSpeech = ({ method, path }: SandboxRequest): boolean =>
  method === 'POST' && ['/audio/speech', '/tts', '/t2a_v2', dashscope].includes(path);

export function answerSpeech({ body: sent, provider, path, headers }: SandboxRequest): SandboxResponse {
  const body = objectOf(sent);
  if (path === '/tts') return answerXai(body);
  if (path === '/t2a_v2') return answerMinimax(body);
  if (path === dashscope) return answerAlibaba(body, headers['x-dashscope-sse'] === 'enable');
  return provider === 'mistral' ? answerMistral(body) : answerOpenai(body, provider);
}

const mistralFields = wordSet('model input voice_id ref_audio response_format stream');
const mistralFormats = wordSet('pcm wav mp3 flac opus');

/** Always streamed: the gateway asks for nothing else. */
function answerMistral(body: JsonObject): SandboxResponse {
  checkKeys(body, mistralFields, refuseUnknown);
  for (const name of ['model', 'input', 'voice_id', 'stream'])
    if (body[name] === undefined) refuseMissing(name);
  if (!mistralFormats.has(textOf(body.response_format) || 'mp3'))
    refuse('Invalid response_format.', 'response_format', 'invalid_value');
  if (!/^([a-z]{2}_[a-z]+_[a-z]+|voice_\w+)$/.test(textOf(body.voice_id)))
    refuse('Voice not found.', 'voice_id', 'invalid_value');
  return streamAnswer([
    ...audioOf(textOf(body.input), bytesPerSecond).map((piece) =>
      dataEvent({ type: 'speech.audio.delta', audio_data: piece.toString('base64') }),
    ),
    dataEvent({
      type: 'speech.audio.done',
      usage: { prompt_tokens: 1, total_tokens: 1, completion_tokens: 0 },
    }),
  ]);
}

const minimaxFields = wordSet('model text stream stream_options voice_setting audio_setting language_boost');
const minimaxFormats = wordSet('mp3 pcm flac');
const minimaxLongest = 10_000;

/** A failure has the status 200. A stream has no `wav`, and speeds from 0.5 to 2. */
function answerMinimax(body: JsonObject): SandboxResponse {
  const [text, voice, audio] = [
    textOf(body.text),
    objectOf(body.voice_setting),
    objectOf(body.audio_setting),
  ];
  const speed = numberOf(voice.speed) ?? 1;
  const isValid =
    Object.keys(body).every((name) => minimaxFields.has(name)) &&
    body.stream === true &&
    text !== '' &&
    [...text].length <= minimaxLongest &&
    /^[\w-]+$/.test(textOf(voice.voice_id)) &&
    minimaxFormats.has(textOf(audio.format) || 'mp3') &&
    speed >= 0.5 &&
    speed <= 2;
  const outcome = { status_code: isValid ? 0 : 2013, status_msg: isValid ? '' : 'invalid params' };
  if (!isValid) return streamAnswer([dataEvent({ base_resp: outcome })]);
  const pieces = audioOf(text, bytesPerSecond);
  const extra_info = { usage_characters: [...text].length };
  return streamAnswer([
    ...pieces.map((piece) =>
      dataEvent({ data: { audio: piece.toString('hex'), status: 1 }, base_resp: outcome }),
    ),
    dataEvent({ data: { audio: '', status: 2 }, extra_info, base_resp: outcome }),
  ]);
}

const alibabaFields = wordSet('text voice language_type instructions optimize_instructions');
const alibabaVoices = wordSet(
  'Cherry Serena Ethan Chelsie Momo Vivian Moon Maia Kai Nofish Bella Jennifer Ryan Katerina',
);
const alibabaLongest = 600;

/** Without its header, an answer has the URL of a file. Failures have a code of their own beside no `error`. */
function answerAlibaba(body: JsonObject, isStream: boolean): SandboxResponse {
  const input = objectOf(body.input);
  const [text, voice] = [textOf(input.text), textOf(input.voice)];
  const isValid =
    isStream &&
    Object.keys(input).every((name) => alibabaFields.has(name)) &&
    text !== '' &&
    [...text].length <= alibabaLongest &&
    alibabaVoices.has(voice);
  if (!isValid)
    throw new Refusal(400, { code: 'InvalidParameter', message: 'Invalid input.', request_id: 'sandbox' });
  const characters = [...text].reduce((sum, one) => sum + (/\p{Script=Han}/u.test(one) ? 2 : 1), 0);
  const event = (data: string, finish_reason: string, more = {}) =>
    dataEvent({ output: { audio: { data, id: 'audio_1' }, finish_reason }, request_id: 'sandbox', ...more });
  return streamAnswer([
    ...audioOf(text, 48_000).map((piece) => event(piece.toString('base64'), 'null')),
    event('', 'stop', { usage: { characters } }),
  ]);
}

const xaiFields = wordSet('text voice_id language output_format optimize_streaming_latency');
const xaiVoices = wordSet('eve ara rex sal leo');
const xaiTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm: 'audio/pcm' };
const xaiLongest = 15_000;

function answerXai(body: JsonObject): SandboxResponse {
  checkKeys(body, xaiFields, refuseUnknown);
  for (const name of ['text', 'language']) if (body[name] === undefined) refuseMissing(name);
  const text = textOf(body.text);
  const type = xaiTypes[textOf(objectOf(body.output_format).codec) || 'mp3'];
  if (type === undefined) refuse('Invalid codec.', 'output_format', 'invalid_value');
  if ([...text].length > xaiLongest) refuse('The text is too long.', 'text', 'invalid_value');
  const voice = textOf(body.voice_id);
  if (!xaiVoices.has(voice) && !voice.startsWith('voice_'))
    refuse('Unknown voice.', 'voice_id', 'invalid_value');
  return { status: 200, headers: { 'content-type': type ?? '' }, chunks: audioOf(text, bytesPerSecond) };
}

function answerOpenai(body: JsonObject, provider: string): SandboxResponse {
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
