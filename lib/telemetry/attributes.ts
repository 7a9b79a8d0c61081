/**
 * The attributes of the spans, each with what it means: the documentation is made of these tables. None has a prompt, an answer or
 * a secret, and none the caller's id of its user.
 */
import type { LedgerAttempt, LedgerRecord } from '../core/accounting/ledger.ts';
import { type OperationName, operationNamed } from '../core/operations.ts';
import { type AttributeSource, type AttributeType, type KeyValue, keyValue } from './otlp.ts';

interface Attribute<Source> {
  readonly type: AttributeType;
  readonly meaning: string;
  /** Undefined: this span does not have it. */
  readonly of: (source: Source) => AttributeSource;
}

/** By name, in the order of the documentation. */
type Attributes<Source> = Readonly<Record<string, Attribute<Source>>>;

const ofType =
  (type: AttributeType) =>
  <Source>(meaning: string, of: Attribute<Source>['of']): Attribute<Source> => ({ type, meaning, of });
const text = ofType('string');
const texts = ofType('strings');
const flag = ofType('boolean');
const whole = ofType('int');
const number = ofType('double');

/** One attempt of a request. */
export interface Attempted {
  readonly record: LedgerRecord;
  readonly attempt: LedgerAttempt;
  /** From 1. */
  readonly number: number;
}

/** Amounts are whole nano-dollars. */
const dollars = (amount: number | null): number | undefined =>
  amount === null ? undefined : amount / 1_000_000_000;

const some = (count: number | undefined): number | undefined => (count ? count : undefined);

const isLast = ({ record, number }: Attempted): boolean => number === record.attempts.length;

/** In seconds; undefined for an answer that was no stream, or another attempt's. */
export function timeToFirstChunk(attempted: Attempted): number | undefined {
  const { record, attempt } = attempted;
  const { streamed, firstByteMs, at } = record;
  if (!streamed || firstByteMs === undefined || !isLast(attempted)) return undefined;
  return Math.max(0, at + firstByteMs - attempt.at) / 1000;
}

export const requestAttributes: Attributes<LedgerRecord> = {
  'http.request.method': text('The method', ({ operation }) => operationNamed(operation).method),
  'http.route': text('The path of the operation', ({ operation }) => operationNamed(operation).path),
  'url.path': text('The same', ({ operation }) => operationNamed(operation).path),
  'http.response.status_code': whole('The status; 499 if the client left', ({ status }) => status),
  'error.type': text('The code of the error, also of a stream that began with 200', ({ error }) => error),
  'gateway.request_id': text('The id in the answer, the log and the ledger', ({ requestId }) => requestId),
  'gateway.tenant': text('Who pays', ({ tenant }) => tenant),
  'gateway.key': text('The id of the API key, which is not secret', ({ key }) => key),
  'gateway.requested_model': text('The model that was asked for', ({ requestedModel }) => requestedModel),
  'gateway.attempts': whole('How many calls of providers it took', ({ attempts }) => attempts.length),
  'gateway.cost_usd': number(
    'What the providers take for all attempts; absent if unknown. The ledger has it exactly',
    ({ cost }) => dollars(cost),
  ),
};

export const attemptAttributes: Attributes<Attempted> = {
  'gen_ai.operation.name': text(
    '`chat`, `text_completion`, `embeddings`, `rerank`, `generate_content` for images, `speech`, `transcription`, or `moderation`',
    ({ record }) => operationOf(record.operation),
  ),
  'gen_ai.provider.name': text('The provider, as the conventions name it', ({ attempt }) =>
    providerOf(attempt.provider),
  ),
  'gen_ai.request.model': text('The id of the model in the catalog', ({ attempt }) => attempt.model),
  'gen_ai.request.stream': flag(
    'Whether a stream was asked for; absent if not',
    ({ record }) => record.streamed || undefined,
  ),
  'gen_ai.output.type': text('`image` where images were asked for', ({ record }) =>
    record.operation.startsWith('images-') ? 'image' : undefined,
  ),
  'gen_ai.conversation.id': text("The caller's id of the session", ({ record }) => record.session),
  'gen_ai.response.finish_reasons': texts('Why the answer ended, for each choice', (attempted) =>
    isLast(attempted) && !attempted.attempt.error ? attempted.record.finishReasons : undefined,
  ),
  'gen_ai.response.time_to_first_chunk': number(
    'Seconds from the call to the first piece of the answer, of streams',
    timeToFirstChunk,
  ),
  'gen_ai.usage.input_tokens': whole(
    'All tokens of the input, with those of caches',
    ({ attempt }) => attempt.usage?.promptTokens,
  ),
  'gen_ai.usage.cache_read.input_tokens': whole('Those of them that were read from a cache', ({ attempt }) =>
    some(attempt.usage?.cachedTokens),
  ),
  'gen_ai.usage.cache_creation.input_tokens': whole(
    'Those of them that were written to a cache',
    ({ attempt }) => some(attempt.usage?.cacheWriteTokens),
  ),
  'gen_ai.usage.image.input_tokens': whole('Those of them that are of images', ({ attempt }) =>
    some(attempt.usage?.inputImageTokens),
  ),
  'gen_ai.usage.audio.input_tokens': whole('Those of them that are of audio', ({ attempt }) =>
    some(attempt.usage?.inputAudioTokens),
  ),
  'gen_ai.usage.output_tokens': whole(
    'All tokens of the output, with those of reasoning',
    ({ attempt }) => attempt.usage?.completionTokens,
  ),
  'gen_ai.usage.reasoning.output_tokens': whole('Those of them that are of reasoning', ({ attempt }) =>
    some(attempt.usage?.reasoningTokens),
  ),
  'error.type': text('The code of the error of this attempt', ({ attempt }) => attempt.error),
  'gateway.provider': text('The provider, as the catalog names it', ({ attempt }) => attempt.provider),
  'gateway.upstream_model': text(
    'The id of the model at the provider, where that depends on the region',
    ({ attempt }) => attempt.upstreamId,
  ),
  'gateway.region': text('The region of the deployment', ({ attempt }) => attempt.region),
  'gateway.attempt': whole('Its number, from 1', ({ number }) => number),
  'gateway.tenant': text('Who pays', ({ record }) => record.tenant),
  'gateway.service_tier': text('The service tier, if it is not the default', ({ attempt }) => attempt.tier),
  'gateway.usage_estimated': flag(
    'The answer ended before the provider reported its usage',
    ({ attempt }) => attempt.estimated,
  ),
  'gateway.cost_usd': number('What the provider takes; absent if unknown', ({ attempt }) =>
    dollars(attempt.cost),
  ),
};

export const attributesOf = <Source>(rows: Attributes<Source>, source: Source): readonly KeyValue[] =>
  Object.entries(rows).flatMap(([name, { type, of }]) => keyValue(name, type, of(source)));

/**
 * The words of the conventions for generative AI. Source: open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and
 * gen-ai-metrics.md: operations, and providers with a name of their own there. All of it has the status "Development".
 */
const ownOperations: Partial<Record<OperationName, string>> = {
  completions: 'text_completion',
  embeddings: 'embeddings',
  'images-generations': 'generate_content',
  'images-edits': 'generate_content',
  moderations: 'moderation',
  rerank: 'rerank',
  'audio-speech': 'speech',
  'audio-transcriptions': 'transcription',
  'realtime-client-secrets': 'realtime',
};

/** Responses and Messages are chats, too. */
export const operationOf = (name: OperationName): string => ownOperations[name] ?? 'chat';

const ownProviders: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  'azure-cohere': 'azure.ai.inference',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  'google-vertex-anthropic': 'gcp.vertex_ai',
  'google-vertex-ranking': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
};

/** Any other provider has its own name. */
export const providerOf = (name: string): string =>
  (Object.hasOwn(ownProviders, name) ? ownProviders[name] : undefined) ?? name;
