/** Reads a ledger record from the table or from a line of the log. */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import type { JsonObject } from '../generation/request.ts';
import { isJsonObject } from '../json-object.ts';
import { type OperationName, operations } from '../operations.ts';
import type { LedgerRecord } from './ledger.ts';

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
    hostedCalls: z.exactOptional(z.union([z.record(text, count), callsOfAnyTool(count)])),
    cacheStorage: z.exactOptional(z.object({ tokens: count, seconds: count })),
    statedCost: optionalCount,
    otherTierTokens: optionalCount,
  };
  const usage = z.object({ ...counts, calls: z.exactOptional(z.array(z.object(counts))) });
  return z.object({
    requestId: text,
    at: z.int(),
    tenant: text,
    key: text,
    user: optionalText,
    session: optionalText,
    operation: z.custom<OperationName>((name) => operations.some((operation) => operation.name === name)),
    requestedModel: text,
    model: text,
    provider: text,
    region: text,
    attempts: count,
    status: z.int(),
    error: optionalText,
    streamed: z.boolean(),
    usage: z.exactOptional(usage),
    estimated: z.exactOptional(z.boolean()),
    rawUsage: z.exactOptional(z.custom<JsonObject>(isJsonObject)),
    priceFrom: z.nullable(z.int()),
    cost: z.nullable(z.int()),
    firstByteMs: optionalCount,
    totalMs: count,
    normalizations: count,
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
  const { success, data } = recordSchema().safeParse(source);
  return success ? data : undefined;
}
