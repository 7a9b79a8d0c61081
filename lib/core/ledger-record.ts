/** Reads a record of the ledger from wherever it was kept: the table, or a line of the log. */
import * as z from 'zod/mini';
import type { JsonObject } from './generation.ts';
import { isJsonObject } from './json-object.ts';
import type { LedgerRecord } from './ledger.ts';
import { type OperationName, operations } from './operations.ts';

const count = () => z.number().check(z.nonnegative());

const usage = z.object({
  promptTokens: count(),
  cachedTokens: count(),
  cacheWriteTokens: count(),
  completionTokens: count(),
  reasoningTokens: count(),
  inputImageTokens: z.exactOptional(count()),
  outputImageTokens: z.exactOptional(count()),
  webSearches: z.exactOptional(count()),
});

const record = z.object({
  requestId: z.string(),
  at: z.int(),
  tenant: z.string(),
  key: z.string(),
  user: z.exactOptional(z.string()),
  session: z.exactOptional(z.string()),
  operation: z.custom<OperationName>((name) => operations.some((operation) => operation.name === name)),
  requestedModel: z.string(),
  model: z.string(),
  provider: z.string(),
  region: z.string(),
  attempts: count(),
  status: z.int(),
  error: z.exactOptional(z.string()),
  streamed: z.boolean(),
  usage: z.exactOptional(usage),
  estimated: z.exactOptional(z.boolean()),
  rawUsage: z.exactOptional(z.custom<JsonObject>(isJsonObject)),
  priceFrom: z.nullable(z.int()),
  cost: z.nullable(z.int()),
  firstByteMs: z.exactOptional(count()),
  totalMs: count(),
  normalizations: count(),
});

/** Undefined for what is no record, or a damaged one. */
export function readLedgerRecord(source: unknown): LedgerRecord | undefined {
  const { success, data } = record.safeParse(source);
  return success ? data : undefined;
}
