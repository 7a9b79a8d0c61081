/**
 * Transcription at OpenAI and at hosts with its API, at Mistral and at xAI. Sources: openai 7.57.0, resources/audio/transcriptions and
 * translations (fields, the formats of each model, and events, which whisper-1 does not have); developers.openai.com/api/docs/guides/speech-to-text (25 MB, types of files);
 * console.groq.com/docs/speech-text (formats, `url`); docs.mistral.ai, API reference, "Audio Transcriptions", and
 * ostt.ai/reference/providers/mistral (no language beside timestamps), @ai-sdk/mistral 4.0.17 (terms);
 * docs.x.ai/developers/model-capabilities/audio/speech-to-text (the file is the last part).
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  dataEvent,
  jsonAnswer,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { wordSet } from '../json.ts';
import { type Form, type Heard, hear, one, openForm, piecesOf } from '../recordings.ts';
import { countTokens } from '../script.ts';
import { refuse, refuseMissing, refuseUnknown, refuseValue } from './refuse.ts';

const translated = 'The lamp is bright.';

export const isTranscription = ({ method, path }: SandboxRequest): boolean =>
  method === 'POST' && ['/audio/transcriptions', '/audio/translations', '/stt'].includes(path);

export function answerTranscription(request: SandboxRequest): SandboxResponse {
  const form = openForm(request) ?? refuse('Could not parse multipart form');
  const { provider, path } = request;
  if (path === '/stt') return answerXai(form);
  return provider === 'mistral' ? answerMistral(form) : answerOpenai(form, request);
}

function checkFields({ fields }: Form, known: ReadonlySet<string>): void {
  for (const name of fields.keys()) if (!known.has(name)) refuseUnknown(name);
}

const maxFile = 25 * 1024 * 1024;
const types = wordSet('flac m4a mp3 mp4 mpeg mpga oga ogg wav webm');

function audioOf({ file }: Form): Buffer {
  if (file?.name !== 'file') refuseMissing('file');
  const { filename = '', bytes } = file ?? { bytes: Buffer.alloc(0) };
  if (!types.has(filename.replace(/^.*\./, '')))
    refuse(`Invalid file format. Supported formats: ${[...types].map((type) => `'${type}'`).join(', ')}`);
  if (bytes.length > maxFile) refuse('Maximum content size limit (26214400) exceeded', null, null, 413);
  return bytes;
}

const openaiFields = wordSet(
  'model prompt response_format temperature language languages keywords timestamp_granularities include stream chunking_strategy',
  'known_speaker_names known_speaker_references',
);
const translationFields = wordSet('model prompt response_format temperature');

/** Which formats a model answers in. */
function formatsOf(model: string, provider: string): readonly string[] {
  if (/whisper/.test(model))
    return provider === 'openai'
      ? ['json', 'text', 'srt', 'verbose_json', 'vtt']
      : ['json', 'text', 'verbose_json'];
  return /diarize/.test(model) ? ['json', 'text', 'diarized_json'] : ['json'];
}

function answerOpenai(form: Form, { provider, path }: SandboxRequest): SandboxResponse {
  const translates = path === '/audio/translations';
  checkFields(form, translates ? translationFields : openaiFields);
  const model = one(form, 'model') ?? refuseMissing('model');
  const bytes = audioOf(form);
  const formats = formatsOf(model, provider);
  const format = one(form, 'response_format') ?? 'json';
  if (!formats.includes(format)) refuseValue(format, 'response_format', formats);
  if (translates && !/whisper/.test(model)) refuse('This model does not support translation.', 'model');
  const temperature = Number(one(form, 'temperature') ?? 0);
  if (!(temperature >= 0 && temperature <= 1))
    refuse("Invalid 'temperature'.", 'temperature', 'invalid_value');
  const granularities = form.fields.get('timestamp_granularities') ?? [];
  if (granularities.length > 0 && format !== 'verbose_json')
    refuse("'timestamp_granularities' needs verbose_json.", 'timestamp_granularities');
  const heard = hear(bytes, translates ? translated : undefined);
  const usage = /gpt-4o/.test(model)
    ? tokensOf(heard)
    : { type: 'duration', seconds: Math.ceil(heard.duration) };
  if (one(form, 'stream') === 'true' && !/whisper/.test(model))
    return streamAnswer([
      ...(format === 'diarized_json' ? diarized(heard, usage).segments : []).map(dataEvent),
      ...piecesOf(heard.text).map((delta) => dataEvent({ type: 'transcript.text.delta', delta })),
      dataEvent({ type: 'transcript.text.done', text: heard.text, usage }),
    ]);
  if (format === 'verbose_json')
    return jsonAnswer(verbose(heard, translates, { granularities, usage, provider }));
  if (format === 'diarized_json') return jsonAnswer(diarized(heard, usage));
  return jsonAnswer({ text: heard.text, usage });
}

/** Models of gpt-4o are charged by tokens. No source says how many a second has: here ten. */
function tokensOf({ duration, text }: Heard): object {
  const [input_tokens, output_tokens] = [Math.ceil(duration * 10), countTokens(text)];
  return {
    type: 'tokens',
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    input_token_details: { audio_tokens: input_tokens, text_tokens: 0 },
  };
}

interface Asked {
  readonly granularities: readonly string[];
  readonly usage: object;
  readonly provider: string;
}

const verbose = (
  { text, duration, segments, words }: Heard,
  translates: boolean,
  { granularities, usage, provider }: Asked,
) => ({
  task: translates ? 'translate' : 'transcribe',
  language: 'english',
  duration,
  text,
  segments: segments.map((segment, id) => ({
    id,
    seek: 0,
    ...segment,
    tokens: [50_364, 440],
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 0.9,
    no_speech_prob: 0.01,
  })),
  ...(granularities.includes('word') && { words }),
  // Groq has no usage there.
  ...(provider !== 'groq' && { usage }),
});

const diarized = ({ text, duration, segments }: Heard, usage: object) => ({
  task: 'transcribe',
  duration,
  text,
  segments: segments.map((segment, index) => ({
    type: 'transcript.text.segment',
    id: `seg_${index}`,
    ...segment,
    speaker: index === 1 ? 'B' : 'A',
  })),
  usage,
});

const mistralFields = wordSet(
  'model language temperature diarize context_bias timestamp_granularities file_url file_id stream',
);

function answerMistral(form: Form): SandboxResponse {
  for (const { name } of form.parts) if (name.endsWith('[]')) refuseUnknown(name);
  checkFields(form, mistralFields);
  if (one(form, 'model') === undefined) refuseMissing('model');
  const granularities = form.fields.get('timestamp_granularities') ?? [];
  if (granularities.length > 0 && one(form, 'language') !== undefined)
    refuse('timestamp_granularities cannot be used with language', 'timestamp_granularities');
  if ((form.fields.get('context_bias') ?? []).some((term) => /[\s,]/.test(term)))
    refuse('Terms must not have spaces or commas', 'context_bias');
  const isDiarized = one(form, 'diarize') === 'true';
  if (isDiarized && !granularities.includes('segment')) refuse('diarize needs segments', 'diarize');
  const { text, duration, words, segments } = hear(audioOf(form));
  const spans = granularities.includes('word')
    ? words.map(({ word, ...span }) => ({ ...span, text: word }))
    : segments;
  const written =
    granularities.length === 0 ? [] : spans.map((span, index) => mistralSpan(span, isDiarized, index));
  const answer = {
    model: one(form, 'model'),
    text,
    language: one(form, 'language') ?? 'en',
    segments: written,
    usage: {
      prompt_audio_seconds: Math.round(duration),
      prompt_tokens: 4,
      completion_tokens: words.length,
      total_tokens: 4 + words.length,
    },
  };
  if (one(form, 'stream') !== 'true') return jsonAnswer(answer);
  return streamAnswer([
    dataEvent({ type: 'transcription.language', audio_language: answer.language }),
    ...piecesOf(text).map((piece) => dataEvent({ type: 'transcription.text.delta', text: piece })),
    ...written.map((segment) => dataEvent({ ...segment, type: 'transcription.segment' })),
    dataEvent({ ...answer, type: 'transcription.done' }),
  ]);
}

const mistralSpan = (span: JsonObject | object, isDiarized: boolean, index: number) => ({
  type: 'transcription_segment',
  ...span,
  ...(isDiarized && { speaker_id: `speaker_${index === 1 ? 2 : 1}` }),
});

const xaiFields = wordSet(
  'model language format diarize keyterm multichannel channels audio_format sample_rate filler_words',
);

function answerXai(form: Form): SandboxResponse {
  checkFields(form, xaiFields);
  if (form.parts.at(-1) !== form.file) refuse('The file must be the last field of the form.', 'file');
  const { text, duration, words } = hear(audioOf(form));
  const isDiarized = one(form, 'diarize') === 'true';
  return jsonAnswer({
    text,
    language: '',
    duration: Math.round(duration * 100) / 100,
    words: words.map(({ word, start, end }, index) => ({
      text: word,
      start,
      end,
      ...(isDiarized && { speaker: index > 4 && index < 11 ? 1 : 0 }),
    })),
  });
}
