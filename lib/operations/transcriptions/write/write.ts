/** Writes what a target has heard in the format that the caller asked for, as one body or as events. */
import type { Answer, AttemptFacts, Call, PublicEvent } from '../../../core/endpoint.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Segment, Transcript } from '../../../core/generation/transcription.ts';
import { totalTokens } from '../../../core/generation/usage.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { Transcribed, TranscriptionCall } from '../../../pipeline/call-transcription.ts';
import { costInUsage, withCost } from '../../answer-facts.ts';
import type { Made } from '../../one-call/endpoint.ts';
import type { TranscriptionInput } from '../read.ts';
import { segmentsOf } from './segments.ts';
import { srtOf, vttOf } from './subtitles.ts';

export interface PreparedTranscription extends TranscriptionCall {
  readonly changes: readonly Change[];
}

export function writeTranscription(
  call: Call<TranscriptionInput>,
  { target, attempt, result, headers, debug, prepared }: Made<PreparedTranscription, Transcribed>,
): Answer {
  const { dryRun, stream, request } = call.input;
  if (dryRun)
    return {
      type: 'json',
      headers,
      body: { object: 'audio.transcription', model: target.model.id, ...debug() },
    };
  const written: Written = {
    result,
    duration: result.duration ?? (prepared.audio?.ms === undefined ? undefined : prepared.audio.ms / 1_000),
    task: request.translates ? 'translate' : 'transcribe',
    words: request.parameters.timestamp_granularities?.includes('word') ?? false,
    usage: writeUsage(attempt, call),
    debug: debug(),
  };
  const { response_format: format = 'json' } = request.parameters;
  if (stream) {
    call.facts.streamed = true;
    return {
      type: 'stream',
      headers,
      events: eventsOf(written),
      onError: (error) => [{ event: 'error', data: error.toBody() }],
    };
  }
  if (format === 'text') return plain(`${result.text}\n`, headers);
  if (format === 'srt') return plain(srtOf(result), headers);
  if (format === 'vtt') return plain(vttOf(result), headers);
  const body = { json: writeJson, verbose_json: writeVerbose, diarized_json: writeDiarized }[format](written);
  return { type: 'json', headers, body };
}

interface Written {
  readonly result: Transcript;
  /** In seconds. */
  readonly duration: number | undefined;
  readonly task: string;
  readonly words: boolean;
  readonly usage: object | undefined;
  readonly debug: object;
}

function plain(text: string, headers: Readonly<Record<string, string>>): Answer {
  const bytes = Buffer.from(text);
  async function* once() {
    yield bytes;
  }
  return {
    type: 'bytes',
    contentType: 'text/plain; charset=utf-8',
    length: bytes.length,
    bytes: once(),
    headers,
  };
}

const withUsage = ({ usage, debug }: Written): object => ({ ...(usage && { usage }), ...debug });

/** Without a duration: older clients take an answer that has one for a verbose one. */
const writeJson = (written: Written): object => {
  const { text, languages, logprobs } = written.result;
  return { text, ...(languages && { languages }), ...(logprobs && { logprobs }), ...withUsage(written) };
};

function writeVerbose(written: Written): object {
  const { result, duration, task, words } = written;
  return {
    task,
    language: result.language ?? null,
    duration: duration ?? null,
    text: result.text,
    segments: segmentsOf(result).map(({ start, end, text, facts }, id) => ({
      ...facts,
      id,
      start,
      end,
      text,
    })),
    ...(words && {
      words: (result.words ?? []).map(({ text, start, end }) => ({ word: text.trim(), start, end })),
    }),
    ...withUsage(written),
  };
}

function writeDiarized(written: Written): object {
  const { result, duration, task } = written;
  const segments = speakerSegments(result);
  return { task, duration: duration ?? null, text: result.text, segments, ...withUsage(written) };
}

/** Names of speakers stay; numbers and ids of voices are letters, in the order in which they are heard. */
function speakerSegments(result: Transcript): readonly JsonObject[] {
  const letters = new Map<string, string>();
  const nameOf = (speaker: string | undefined): string | null => {
    if (speaker === undefined) return null;
    if (!/\d$/.test(speaker)) return speaker;
    const letter = letters.get(speaker) ?? letterOf(letters.size);
    letters.set(speaker, letter);
    return letter;
  };
  return segmentsOf(result).map(({ start, end, text, speaker }, index) => ({
    type: 'transcript.text.segment',
    id: `seg_${index}`,
    start,
    end,
    speaker: nameOf(speaker),
    text,
  }));
}

/** A to Z, then AA. */
const letterOf = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : `${letterOf(Math.floor(index / 26) - 1)}${letterOf(index % 26)}`;

/** One delta with all of the text: targets answer in one body. */
async function* eventsOf(written: Written): AsyncGenerator<readonly PublicEvent[]> {
  const { text, languages, logprobs } = written.result;
  const isDiarized = written.result.segments?.some(({ speaker }: Segment) => speaker !== undefined) ?? false;
  const segments = isDiarized ? speakerSegments(written.result) : [];
  const logged = { ...(languages && { languages }), ...(logprobs && { logprobs }) };
  yield [
    ...segments.map((data) => ({ data })),
    { data: { type: 'transcript.text.delta', delta: text } },
    { data: { type: 'transcript.text.done', text, ...logged, ...withUsage(written) } },
  ];
}

/** In OpenAI's two forms; undefined where it is not known. */
function writeUsage({ usage }: AttemptFacts, call: Call<TranscriptionInput>): object | undefined {
  const cost = costInUsage(call);
  if (usage?.audioMs !== undefined)
    return withCost({ type: 'duration', seconds: usage.audioMs / 1_000 }, cost);
  if (!usage) return cost && withCost({}, cost);
  const { promptTokens, completionTokens, inputAudioTokens } = usage;
  const details = inputAudioTokens !== undefined && {
    input_token_details: { audio_tokens: inputAudioTokens, text_tokens: promptTokens - inputAudioTokens },
  };
  const tokens = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: totalTokens(usage),
  };
  return withCost({ type: 'tokens', ...tokens, ...details }, cost);
}
