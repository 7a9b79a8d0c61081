/** Writes what a target has heard in the format that the caller asked for, as one body or as events. */
import type { Answer, AttemptFacts, Call } from '../../../core/endpoint.ts';
import type { Transcript } from '../../../core/generation/transcription.ts';
import { totalTokens } from '../../../core/generation/usage.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { Transcribed, TranscriptionCall } from '../../../pipeline/call-transcription.ts';
import type { TranscriptStream } from '../../../pipeline/call-transcription-stream.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';
import { costInUsage, withCost } from '../../answer-facts.ts';
import type { Made } from '../../one-call/endpoint.ts';
import { observed } from '../../one-call/observed.ts';
import type { TranscriptionInput } from '../read.ts';
import { asEvents, writeEvents, writeSigns } from './events.ts';
import { segmentWriter } from './segment-writer.ts';
import { segmentsOf } from './segments.ts';
import { srtOf, vttOf } from './subtitles.ts';

export interface PreparedTranscription extends TranscriptionCall {
  readonly changes: readonly Change[];
}

export function writeTranscription(
  { health }: Pick<PipelineParts, 'health'>,
  call: Call<TranscriptionInput>,
  {
    target,
    attempt,
    result,
    headers,
    debug,
    prepared: { audio },
  }: Made<PreparedTranscription, Transcribed | TranscriptStream>,
): Answer {
  const { dryRun, request } = call.input;
  const { response_format: format = 'json' } = request.parameters;
  if (dryRun)
    return {
      type: 'json',
      headers,
      body: { object: 'audio.transcription', model: target.model.id, ...debug() },
    };
  const facts = () => {
    const usage = writeUsage(attempt, call);
    return { ...(usage && { usage }), ...debug() };
  };
  if (request.stream || 'events' in result) {
    const events = 'events' in result ? result.events : asEvents(result);
    return {
      type: 'stream',
      headers,
      events: writeEvents(observed(events, { health, target, attempt, signal: call.signal }), facts),
      onError: (error) => [{ event: 'error', data: error.toBody() }],
    };
  }
  if (format === 'text') return plain(`${result.text}\n`, headers);
  if (format === 'srt') return plain(srtOf(result), headers);
  if (format === 'vtt') return plain(vttOf(result), headers);
  const written: Written = {
    result,
    duration: result.duration ?? (audio?.ms === undefined ? undefined : audio.ms / 1_000),
    task: request.translates ? 'translate' : 'transcribe',
    words: request.parameters.timestamp_granularities?.includes('word') ?? false,
    facts: facts(),
  };
  const body = { json: writeJson, verbose_json: writeVerbose, diarized_json: writeDiarized }[format](written);
  return { type: 'json', headers, body };
}

interface Written {
  readonly result: Transcript;
  /** In seconds. */
  readonly duration: number | undefined;
  readonly task: string;
  readonly words: boolean;
  /** What was used, and what the caller asks about the answer. */
  readonly facts: object;
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

/** Without a duration: older clients take an answer that has one for a verbose one. */
const writeJson = ({ result, facts }: Written): object => ({
  text: result.text,
  ...writeSigns(result),
  ...facts,
});

function writeVerbose(written: Written): object {
  const { result, duration, task, words, facts } = written;
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
    ...facts,
  };
}

function writeDiarized({ result, duration, task, facts }: Written): object {
  const segments = segmentsOf(result).map(segmentWriter());
  return { task, duration: duration ?? null, text: result.text, segments, ...facts };
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
