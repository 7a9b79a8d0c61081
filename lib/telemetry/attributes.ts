/**
 * The attributes of the spans, each with what it means: the documentation is made of these tables. None has a prompt, an answer or
 * a secret, and none the caller's id of its user.
 */
import type { LedgerAttempt, LedgerRecord } from '../core/accounting/ledger.ts';
import { operationNamed } from '../core/operations.ts';
import { operationOf, providerOf } from './conventions.ts';
import { type AttributeSource, type AttributeType, type KeyValue, keyValue } from './otlp.ts';

interface AttributeRow<Source> {
  readonly name: string;
  readonly type: AttributeType;
  readonly meaning: string;
  /** Undefined: this span does not have it. */
  readonly of: (source: Source) => AttributeSource;
}

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

export const requestAttributes: readonly AttributeRow<LedgerRecord>[] = [
  {
    name: 'http.request.method',
    type: 'string',
    meaning: 'The method',
    of: ({ operation }) => operationNamed(operation).method,
  },
  {
    name: 'http.route',
    type: 'string',
    meaning: 'The path of the operation',
    of: ({ operation }) => operationNamed(operation).path,
  },
  {
    name: 'url.path',
    type: 'string',
    meaning: 'The same',
    of: ({ operation }) => operationNamed(operation).path,
  },
  {
    name: 'http.response.status_code',
    type: 'int',
    meaning: 'The status; 499 if the client left',
    of: ({ status }) => status,
  },
  {
    name: 'error.type',
    type: 'string',
    meaning: 'The code of the error, also of a stream that began with 200',
    of: ({ error }) => error,
  },
  {
    name: 'gateway.request_id',
    type: 'string',
    meaning: 'The id in the answer, the log and the ledger',
    of: ({ requestId }) => requestId,
  },
  { name: 'gateway.tenant', type: 'string', meaning: 'Who pays', of: ({ tenant }) => tenant },
  {
    name: 'gateway.key',
    type: 'string',
    meaning: 'The id of the API key, which is not secret',
    of: ({ key }) => key,
  },
  {
    name: 'gateway.requested_model',
    type: 'string',
    meaning: 'The model that was asked for',
    of: ({ requestedModel }) => requestedModel,
  },
  {
    name: 'gateway.attempts',
    type: 'int',
    meaning: 'How many calls of providers it took',
    of: ({ attempts }) => attempts.length,
  },
  {
    name: 'gateway.cost_usd',
    type: 'double',
    meaning: 'What the providers take for all attempts; absent if unknown. The ledger has it exactly',
    of: ({ cost }) => dollars(cost),
  },
];

export const attemptAttributes: readonly AttributeRow<Attempted>[] = [
  {
    name: 'gen_ai.operation.name',
    type: 'string',
    meaning: '`chat`, `text_completion`, `embeddings`, or `generate_content` for images',
    of: ({ record }) => operationOf(record.operation),
  },
  {
    name: 'gen_ai.provider.name',
    type: 'string',
    meaning: 'The provider, as the conventions name it',
    of: ({ attempt }) => providerOf(attempt.provider),
  },
  {
    name: 'gen_ai.request.model',
    type: 'string',
    meaning: 'The id of the model in the catalog',
    of: ({ attempt }) => attempt.model,
  },
  {
    name: 'gen_ai.request.stream',
    type: 'boolean',
    meaning: 'Whether a stream was asked for; absent if not',
    of: ({ record }) => record.streamed || undefined,
  },
  {
    name: 'gen_ai.output.type',
    type: 'string',
    meaning: '`image` where images were asked for',
    of: ({ record }) => (record.operation === 'images-generations' ? 'image' : undefined),
  },
  {
    name: 'gen_ai.conversation.id',
    type: 'string',
    meaning: "The caller's id of the session",
    of: ({ record }) => record.session,
  },
  {
    name: 'gen_ai.response.finish_reasons',
    type: 'strings',
    meaning: 'Why the answer ended, for each choice',
    of: (attempted) =>
      isLast(attempted) && !attempted.attempt.error ? attempted.record.finishReasons : undefined,
  },
  {
    name: 'gen_ai.response.time_to_first_chunk',
    type: 'double',
    meaning: 'Seconds from the call to the first piece of the answer, of streams',
    of: timeToFirstChunk,
  },
  {
    name: 'gen_ai.usage.input_tokens',
    type: 'int',
    meaning: 'All tokens of the input, with those of caches',
    of: ({ attempt }) => attempt.usage?.promptTokens,
  },
  {
    name: 'gen_ai.usage.cache_read.input_tokens',
    type: 'int',
    meaning: 'Those of them that were read from a cache',
    of: ({ attempt }) => some(attempt.usage?.cachedTokens),
  },
  {
    name: 'gen_ai.usage.cache_creation.input_tokens',
    type: 'int',
    meaning: 'Those of them that were written to a cache',
    of: ({ attempt }) => some(attempt.usage?.cacheWriteTokens),
  },
  {
    name: 'gen_ai.usage.image.input_tokens',
    type: 'int',
    meaning: 'Those of them that are of images',
    of: ({ attempt }) => some(attempt.usage?.inputImageTokens),
  },
  {
    name: 'gen_ai.usage.audio.input_tokens',
    type: 'int',
    meaning: 'Those of them that are of audio',
    of: ({ attempt }) => some(attempt.usage?.inputAudioTokens),
  },
  {
    name: 'gen_ai.usage.output_tokens',
    type: 'int',
    meaning: 'All tokens of the output, with those of reasoning',
    of: ({ attempt }) => attempt.usage?.completionTokens,
  },
  {
    name: 'gen_ai.usage.reasoning.output_tokens',
    type: 'int',
    meaning: 'Those of them that are of reasoning',
    of: ({ attempt }) => some(attempt.usage?.reasoningTokens),
  },
  {
    name: 'error.type',
    type: 'string',
    meaning: 'The code of the error of this attempt',
    of: ({ attempt }) => attempt.error,
  },
  {
    name: 'gateway.provider',
    type: 'string',
    meaning: 'The provider, as the catalog names it',
    of: ({ attempt }) => attempt.provider,
  },
  {
    name: 'gateway.upstream_model',
    type: 'string',
    meaning: 'The id of the model at the provider, where that depends on the region',
    of: ({ attempt }) => attempt.upstreamId,
  },
  {
    name: 'gateway.region',
    type: 'string',
    meaning: 'The region of the deployment',
    of: ({ attempt }) => attempt.region,
  },
  { name: 'gateway.attempt', type: 'int', meaning: 'Its number, from 1', of: ({ number }) => number },
  { name: 'gateway.tenant', type: 'string', meaning: 'Who pays', of: ({ record }) => record.tenant },
  {
    name: 'gateway.service_tier',
    type: 'string',
    meaning: 'The service tier, if it is not the default',
    of: ({ attempt }) => attempt.tier,
  },
  {
    name: 'gateway.usage_estimated',
    type: 'boolean',
    meaning: 'The answer ended before the provider reported its usage',
    of: ({ attempt }) => attempt.estimated,
  },
  {
    name: 'gateway.cost_usd',
    type: 'double',
    meaning: 'What the provider takes; absent if unknown',
    of: ({ attempt }) => dollars(attempt.cost),
  },
];

export const attributesOf = <Source>(
  rows: readonly AttributeRow<Source>[],
  source: Source,
): readonly KeyValue[] => rows.flatMap(({ name, type, of }) => keyValue(name, type, of(source)));
