/** Reads a ledger record from the table or from a line of the log. */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { isJsonObject } from '../formats/json-object.ts';
import type { JsonObject } from '../generation/request.ts';
import { guardActions } from '../guardrails/guard-record.ts';
import { phases } from '../guardrails/policy.ts';
import { type OperationName, operationNames } from '../operations/operation.ts';
import type { LedgerRecord } from './ledger.ts';
import type { Hold } from './limits.ts';

/** Created on first use: functions that only write records do not need it. */
const recordSchema = lazy(() => {
  const text = z.string();
  const optionalText = z.exactOptional(text);
  const count = z.number().check(z.nonnegative());
  const optionalCount = z.exactOptional(count);
  const counts = {
    promptTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    cacheWriteHourTokens: optionalCount,
    completionTokens: count,
    reasoningTokens: count,
    inputImageTokens: optionalCount,
    inputAudioTokens: optionalCount,
    cachedImageTokens: optionalCount,
    cachedAudioTokens: optionalCount,
    outputImageTokens: optionalCount,
    webSearches: optionalCount,
    images: optionalCount,
    inputImages: optionalCount,
    searchUnits: optionalCount,
    characters: optionalCount,
    audioMs: optionalCount,
    hostedCalls: z.exactOptional(z.union([z.record(text, count), callsOfAnyTool(count)])),
    cacheStorage: z.exactOptional(z.object({ tokens: count, seconds: count })),
    statedCost: optionalCount,
  };
  const usage = z.object({ ...counts, calls: z.exactOptional(z.array(z.object(counts))) });
  const amount = z.nullable(z.int());
  const attempt = z.object({
    provider: text,
    model: text,
    region: text,
    upstreamId: optionalText,
    credential: optionalText,
    at: z.int(),
    endedAt: z.exactOptional(z.int()),
    tier: optionalText,
    usage: z.exactOptional(usage),
    rawUsage: z.exactOptional(z.custom<JsonObject>(isJsonObject)),
    uncounted: optionalCount,
    estimated: z.exactOptional(z.literal(true)),
    isFloor: z.exactOptional(z.literal(true)),
    error: optionalText,
    priceFrom: amount,
    cost: amount,
    listCost: z.exactOptional(amount),
    charge: amount,
  });
  const hold = z.object({
    kind: z.enum(['key', 'tenant', 'user']),
    id: text,
    shard: optionalCount,
    minute: z.int(),
    day: z.int(),
    tokens: count,
    amount: count,
    running: z.union([z.literal(0), z.literal(1)]),
    isPrepaid: z.exactOptional(z.literal(true)),
    isFurther: z.exactOptional(z.literal(true)),
    includesOwnKeys: z.exactOptional(z.literal(true)),
    isPart: z.exactOptional(z.literal(true)),
    inParts: optionalCount,
  });
  const guard = z.object({
    policy: text,
    version: z.int(),
    rule: text,
    phase: z.enum(phases),
    action: z.enum(guardActions),
    labels: z.exactOptional(z.array(text)),
    ms: count,
    units: count,
    cost: amount,
  });
  return z.object({
    requestId: text,
    at: z.int(),
    tenant: text,
    key: text,
    user: optionalText,
    session: optionalText,
    tags: z.exactOptional(z.record(text, text)),
    operation: z.custom<OperationName>((name) => operationNames.some((known) => known === name)),
    requestedModel: text,
    model: text,
    provider: text,
    region: text,
    attempts: z.array(attempt),
    status: z.int(),
    error: optionalText,
    streamed: z.boolean(),
    cost: amount,
    charge: amount,
    pricing: optionalText,
    firstByteMs: optionalCount,
    totalMs: count,
    normalizations: count,
    finishReasons: z.exactOptional(z.array(text)),
    trace: optionalText,
    traceState: optionalText,
    response: optionalText,
    batch: optionalText,
    guard: z.exactOptional(z.array(guard)),
    replayed: z.exactOptional(z.object({ of: text, promptTokens: count, completionTokens: count })),
    holds: z.exactOptional(z.array(hold) satisfies z.ZodMiniType<Hold[]>),
  });
});

/** Earlier records have one number for all tools. */
const callsOfAnyTool = (count: z.ZodMiniNumber) =>
  z.pipe(
    count,
    z.transform((unknown) => ({ unknown })),
  );

/** Undefined for anything but a valid record. */
export function readLedgerRecord(source: unknown): LedgerRecord | undefined {
  const { success, data } = recordSchema().safeParse(withAttempts(source));
  return success ? data : undefined;
}

/** The most attempts that a record of the old form is read with. */
const mostAttempts = 100;

/** For a tier whose name was not kept, but that it had no known price. */
const unknownTier = 'unknown';

/**
 * A record as it was written before it had its attempts: a number of them, and the use and cost of the last one. Of those before
 * it nothing is known but that they cost nothing; of a service tier without a price, only that it was another than the default.
 */
function withAttempts(source: unknown): unknown {
  if (!isJsonObject(source) || typeof source.attempts !== 'number') return source;
  const { attempts: number, usage, rawUsage, estimated, priceFrom, cost, ...record } = source;
  const { provider, model, region, at, error } = record;
  const target = { provider, model, region, at };
  const last = {
    ...target,
    ...(usage !== undefined && { usage }),
    ...(rawUsage !== undefined && { rawUsage }),
    ...(usage === undefined && cost === null && { uncounted: 1 }),
    ...(isJsonObject(usage) && usage.otherTierTokens !== undefined && { tier: unknownTier }),
    ...(estimated === true && { estimated }),
    ...(error !== undefined && { error }),
    priceFrom,
    cost,
    charge: cost,
  };
  const earlier = Array.from({ length: Math.min(Math.max(number, 1), mostAttempts) - 1 }, () => ({
    ...target,
    priceFrom: null,
    cost: 0,
    charge: 0,
  }));
  return { ...record, cost, charge: cost, attempts: [...earlier, last] };
}
