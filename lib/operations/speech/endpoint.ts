/** Speech: `POST /v1/audio/speech`. The answer is audio as it comes, or events with pieces of it. */
import { lazy } from '../../async/lazy.ts';
import { priceOf } from '../../core/accounting/price.ts';
import type { SpeechFormat, Target } from '../../core/catalog/model.ts';
import type { Answer, Call, Endpoint, PublicEvent } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { SpeechRequest } from '../../core/generation/speech.ts';
import { totalTokens, type Usage } from '../../core/generation/usage.ts';
import { withProviderName } from '../../core/names/provider-name.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import { applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import {
  callSpeech,
  charactersOf,
  inputTokensOf,
  maxAudioTokens,
  type Speech,
  type SpeechCall,
} from '../../pipeline/call-speech.ts';
import { guardTexts } from '../../pipeline/guard-input.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { reasonOf, runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import type { Providers } from '../../providers/provider.ts';
import { costInUsage, gatewayHeaders, withCost, writeDebug } from '../answer-facts.ts';
import { readSpeech, type SpeechInput } from './read.ts';
import { speechSchema } from './schema.ts';

interface PreparedSpeech extends SpeechCall {
  readonly changes: readonly Change[];
}

export function speechEndpoint(parts: PipelineParts): Endpoint<typeof speechSchema, SpeechInput> {
  return {
    schema: speechSchema,
    read: readSpeech,
    prepare: (input) => warmUp(parts, input),
    mayBeFree: mayBeFree(parts, 'audio_speech'),
    async answer(call) {
      if (call.input.dryRun) return await answerDry(parts, call);
      const { request, changes } = await guarded(parts, call);
      call.facts.streamed = true;
      const first = await runTargets(parts, speechTask(parts, { ...call.input, request }), call);
      return write(parts, call, { ...first, changes: [...changes, ...first.changes] });
    },
  };
}

/** The request as guardrails let it pass. */
async function guarded(parts: PipelineParts, call: Call<SpeechInput>) {
  const { input, parameters } = call.input.request;
  const given = [
    { text: input, path: 'input' },
    ...(parameters.instructions === undefined
      ? []
      : [{ text: parameters.instructions, path: 'instructions' }]),
  ];
  const { texts, changes } = await guardTexts(parts, given, call);
  const [text = input, instructions] = texts;
  return {
    request: {
      input: text,
      parameters: { ...parameters, ...(instructions !== undefined && { instructions }) },
    },
    changes,
  };
}

/** Without audio, as JSON. */
async function answerDry(parts: PipelineParts, call: Call<SpeechInput>): Promise<Answer> {
  const { dryRun } = await import('../../pipeline/dry-run/dry-run.ts');
  const { input } = call;
  const { report, target, attempts, prepared, ...first } = await dryRun(
    parts,
    speechTask(parts, input),
    call,
    input,
  );
  const changes = [...first.changes, ...prepared.changes];
  const counted = { inputTokens: inputTokensOf(input.request), exact: false };
  const dry = { report: report(counted, changes) };
  const debug = writeDebug(call, { target, changes, attempts, dry });
  const headers = gatewayHeaders({ changes, sandbox: false, dry });
  return { type: 'json', headers, body: { object: 'audio.speech', model: target.model.id, debug } };
}

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
  {
    target,
    attempt,
    attempts,
    prepared,
    answer: { audio, sandbox },
    ...first
  }: TargetAnswer<PreparedSpeech, Speech>,
): Answer {
  const { facts, input, signal } = call;
  const changes = [...first.changes, ...prepared.changes];
  facts.normalizations = changes.length;
  const headers = gatewayHeaders({ changes, sandbox });
  const bytes = observed(audio, {
    ended: () => health.succeeded(target),
    failed(thrown) {
      const error = reasonOf(signal, thrown);
      if (!(error instanceof GatewayError)) return error;
      attempt.error = error.code ?? error.kind;
      if (error.recovery !== 'none') health.failed(target);
      return withProviderName(error, target.deployment.provider);
    },
  });
  const { response_format: format = 'mp3' } = prepared.request.parameters;
  if (!input.asEvents) return { type: 'bytes', contentType: contentTypes[format], bytes, headers };
  const last = () => {
    const debug = writeDebug(call, { target, changes, attempts });
    const usage = withCost(writeUsage(attempt.usage), costInUsage(call));
    return { type: 'speech.audio.done', usage, ...(debug && { debug }) };
  };
  return {
    type: 'stream',
    headers,
    events: asBatches(bytes, last),
    onError: (error) => [{ event: 'error', data: error.toBody() }],
  };
}

async function* observed(
  audio: AsyncIterable<Uint8Array>,
  { ended, failed }: { readonly ended: () => void; readonly failed: (thrown: unknown) => unknown },
): AsyncGenerator<Uint8Array> {
  try {
    yield* audio;
    ended();
  } catch (thrown) {
    throw failed(thrown);
  }
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

function speechTask(
  parts: TaskParts,
  { model, fallbacks, preferences, request }: SpeechInput,
): ModelTask<PreparedSpeech, Speech> {
  return {
    endpoint: 'audio_speech',
    model,
    fallbacks,
    preferences,
    needs: [{ modality: 'text' }],
    canServe: ({ speech }) => speech !== undefined,
    isStream: true,
    inputTokens: lazy(() => inputTokensOf(request)),
    output: () => ({ reserved: 0, isHidden: false, isInputUnknown: false }),
    maxTokens: (target) => maxTokens(parts, request, target),
    firstOutputMs: () => undefined,
    prepare: (target) => prepare(parts.providers, target, request),
    call: callSpeech,
  };
}

/** The most that OpenAI's own models take, in characters. */
const usualInput = 4_096;

function prepare(providers: Providers, target: Target, request: SpeechRequest): PreparedSpeech {
  const provider = providers.get(target.deployment.provider);
  if (!provider?.speech) {
    const message = `The catalog names the provider '${target.deployment.provider}', which does not speak.`;
    throw new GatewayError('upstream_model_missing', message);
  }
  const { maxInput = usualInput } = target.model.traits.speech ?? {};
  if (charactersOf(request) > maxInput) {
    const message = `'input' must have at most ${maxInput} characters for the model '${target.model.id}'.`;
    throw new GatewayError('invalid_request', message, { param: 'input' });
  }
  const { protocol, rules } = provider.speech;
  const { parameters, changes } = applyParameterRules(request.parameters, rules, (now) => ({
    request,
    parameters: now,
    target,
  }));
  return { provider, protocol, target, request: { ...request, parameters }, changes };
}

/** What a protocol adds around a text, in tokens. */
const overhead = 64;

/** A token is at least a byte. */
function maxTokens({ providers, now }: TaskParts, request: SpeechRequest, target: Target): MaxTokens {
  const { input, parameters } = request;
  const { protocol = {} } = providers.get(target.deployment.provider)?.speech ?? {};
  const output = maxAudioTokens(protocol, request, target.model.limits.output);
  const price = priceOf(target, now() / 1_000)?.price;
  return {
    input: Buffer.byteLength(input) + Buffer.byteLength(parameters.instructions ?? '') + overhead,
    output: output ?? 0,
    characters: charactersOf(request),
    endless: output === null && (price?.output ?? 0) > 0,
  };
}
