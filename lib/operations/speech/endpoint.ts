/** Speech: `POST /v1/audio/speech`. The answer is audio as it comes, or events with pieces of it. */
import { lazy } from '../../async/lazy.ts';
import { priceOf } from '../../core/accounting/price.ts';
import type { SpeechFormat, Target } from '../../core/catalog/model.ts';
import type { Answer, Call, Endpoint, PublicEvent } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { SpeechRequest } from '../../core/generation/speech.ts';
import { totalTokens, type Usage } from '../../core/generation/usage.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  callSpeech,
  charactersOf,
  inputTokensOf,
  maxAudioTokens,
  type Speech,
  type SpeechCall,
} from '../../pipeline/call-speech.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { Providers } from '../../providers/provider.ts';
import { defaultFormat } from '../../providers/speech-rules.ts';
import { costInUsage, withCost } from '../answer-facts.ts';
import { type Made, oneCallEndpoint } from '../one-call/endpoint.ts';
import { observed } from '../one-call/observed.ts';
import { readSpeech, type SpeechInput } from './read.ts';
import { speechSchema } from './schema.ts';

interface PreparedSpeech extends SpeechCall {
  readonly changes: readonly Change[];
}

export const speechEndpoint = (parts: PipelineParts): Endpoint<typeof speechSchema, SpeechInput> =>
  oneCallEndpoint(parts, {
    endpoint: 'audio_speech',
    schema: speechSchema,
    read: readSpeech,
    texts: ({ input, parameters: { instructions } }) => [
      { text: input, path: 'input' },
      ...(instructions === undefined ? [] : [{ text: instructions, path: 'instructions' }]),
    ],
    withTexts: (request, [input = request.input, instructions]) => ({
      input,
      parameters: { ...request.parameters, ...(instructions !== undefined && { instructions }) },
    }),
    task: (input) => speechTask(parts, input),
    nothing: { audio: noAudio(), sandbox: false },
    write: (call, made) => write(parts, call, made),
  });

async function* noAudio(): AsyncGenerator<Uint8Array> {}

const contentTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

function write(
  { health }: PipelineParts,
  call: Call<SpeechInput>,
  { target, attempt, prepared, result, headers, debug }: Made<PreparedSpeech, Speech>,
): Answer {
  const { input, signal } = call;
  // Without audio, as JSON.
  if (input.dryRun)
    return { type: 'json', headers, body: { object: 'audio.speech', model: target.model.id, ...debug() } };
  const bytes = observed(result.audio, { health, target, attempt, signal });
  const { response_format: format = 'mp3' } = prepared.request.parameters;
  if (!input.asEvents) return { type: 'bytes', contentType: contentTypes[format], bytes, headers };
  const last = () => {
    const usage = withCost(writeUsage(attempt.usage), costInUsage(call));
    return { type: 'speech.audio.done', usage, ...debug() };
  };
  return {
    type: 'stream',
    headers,
    events: asBatches(bytes, last),
    onError: (error) => [{ event: 'error', data: error.toBody() }],
  };
}

/** A whole number of samples, and of groups of base64, so that pieces can be decoded one by one. */
const largestPiece = 24 * 1024;

/** Pieces as events, one for at most so many bytes. */
async function* asBatches(
  audio: AsyncIterable<Uint8Array>,
  last: () => object,
): AsyncGenerator<readonly PublicEvent[]> {
  for await (const bytes of audio) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / largestPiece) }, (_, index) =>
      bytes.subarray(index * largestPiece, (index + 1) * largestPiece),
    );
    yield pieces.map((piece) => ({
      data: { type: 'speech.audio.delta', audio: Buffer.from(piece).toString('base64') },
    }));
  }
  yield [{ data: last() }];
}

/** What the provider counts, and what it charges for. */
const writeUsage = (usage: Usage | undefined): object => ({
  ...(usage?.characters !== undefined && { characters: usage.characters }),
  ...(usage &&
    totalTokens(usage) > 0 && {
      input_tokens: usage.promptTokens,
      output_tokens: usage.completionTokens,
      total_tokens: totalTokens(usage),
    }),
});

type TaskParts = Pick<PipelineParts, 'providers' | 'now'>;

function speechTask(parts: TaskParts, input: SpeechInput): ModelTask<PreparedSpeech, Speech> {
  const { request } = input;
  return {
    ...oneCallTask('audio_speech', input, 'speech'),
    isStream: true,
    inputTokens: lazy(() => inputTokensOf(request)),
    maxTokens: (target) => maxTokens(parts, request, target),
    prepare: (target) => prepare(parts.providers, target, request),
    call: callSpeech,
  };
}

/** The most that OpenAI's own models take, in characters. */
const usualInput = 4_096;

function prepare(providers: Providers, target: Target, request: SpeechRequest): PreparedSpeech {
  const { provider, serves } = servedBy(providers, target, 'speech');
  const { maxInput = usualInput } = target.model.traits.speech ?? {};
  if (charactersOf(request) > maxInput) {
    const message = `'input' must have at most ${maxInput} characters for the model '${target.model.id}'.`;
    throw new GatewayError('invalid_request', message, { param: 'input' });
  }
  const { protocol, rules } = serves;
  return { provider, protocol, target, ...withRules(request, target, rules) };
}

/** What a protocol adds around a text, in tokens. */
const overhead = 64;

/** A token is at least a byte. */
function maxTokens({ providers, now }: TaskParts, request: SpeechRequest, target: Target): MaxTokens {
  const { input, parameters } = request;
  const { protocol } = providers.get(target.deployment.provider)?.speech ?? {};
  const isMeasured =
    protocol?.meter?.(parameters.response_format ?? defaultFormat(target), target) !== undefined;
  const output = maxAudioTokens(request, isMeasured, target.model.limits.output);
  const price = priceOf(target, now() / 1_000)?.price;
  return {
    input: Buffer.byteLength(input) + Buffer.byteLength(parameters.instructions ?? '') + overhead,
    output: output ?? 0,
    characters: charactersOf(request) * (protocol?.maxPerCharacter ?? 1),
    endless: output === null && (price?.output ?? 0) > 0,
  };
}
