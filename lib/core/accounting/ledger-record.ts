/** Reads a record of the ledger from wherever it was kept: the table, or a line of the log. */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import type { JsonObject } from '../generation/request.ts';
import { isJsonObject } from '../json-object.ts';
import { type OperationName, operations } from '../operations.ts';
import type { LedgerRecord } from './ledger.ts';

/** Functions that only write records make none. */
const recordSchema = lazy(() => {
  const text = z.string();
  const ownText = z.exactOptional(text);
  const count = z.number().check(z.nonnegative());
  const ownCount = z.exactOptional(count);
  const usage = z.object({
    promptTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    completionTokens: count,
    reasoningTokens: count,
    inputImageTokens: ownCount,
    outputImageTokens: ownCount,
    webSearches: ownCount,
  });
  return z.object({
    requestId: text,
    at: z.int(),
    tenant: text,
    key: text,
    user: ownText,
    session: ownText,
    operation: z.custom<OperationName>((name) => operations.some((operation) => operation.name === name)),
    requestedModel: text,
    model: text,
    provider: text,
    region: text,
    attempts: count,
    status: z.int(),
    error: ownText,
    streamed: z.boolean(),
    usage: z.exactOptional(usage),
    estimated: z.exactOptional(z.boolean()),
    rawUsage: z.exactOptional(z.custom<JsonObject>(isJsonObject)),
    priceFrom: z.nullable(z.int()),
    cost: z.nullable(z.int()),
    firstByteMs: ownCount,
    totalMs: count,
    normalizations: count,
  });
});

/** Undefined for what is no record, or a damaged one. */
export function readLedgerRecord(source: unknown): LedgerRecord | undefined {
  const { success, data } = recordSchema().safeParse(source);
  return success ? data : undefined;
}
