/**
 * What is deferred together, because a request that needs one of the modules needs most of them. A module that a plain chat request
 * calls, streamed or not, is in none, nor is one that exports anything but functions, texts and numbers.
 */
export const deferredGroups: Readonly<Record<string, readonly string[]>> = {
  /** The first key, tenant or user with a limit. */
  limits: [
    'lib/metering/limits/highest-cost.ts',
    'lib/metering/limits/limits-headers.ts',
    'lib/stores/dynamodb/update-expression.ts',
    'lib/stores/limits/decision.ts',
    'lib/stores/limits/end.ts',
    'lib/stores/limits/item-access.ts',
    'lib/stores/limits/pool/pool-change.ts',
    'lib/stores/limits/pool/pool-item.ts',
    'lib/stores/limits/pool/pool.ts',
  ],
  /** The first failure, or change of a request. */
  failures: [
    'lib/core/errors/failure-fields.ts',
    'lib/core/errors/stack-frames.ts',
    'lib/core/generation/caller-path.ts',
    'lib/core/names/closest-name.ts',
    'lib/http/problem.ts',
    'lib/pipeline/generation/retry-modifiers.ts',
    'lib/pipeline/generation/without-rejected.ts',
    'lib/transport/http-client/exchange-errors.ts',
  ],
  /** The first tool or schema. */
  tools: [
    'lib/core/generation/tools/tool-call-id.ts',
    'lib/normalization/conversation/summarize.ts',
    'lib/normalization/conversation/unseen-results.ts',
    'lib/normalization/schemas/schema.ts',
    'lib/normalization/tools/custom-input.ts',
    'lib/normalization/tools/custom-tools.ts',
    'lib/normalization/tools/hosted-tools.ts',
    'lib/normalization/tools/tool-names.ts',
  ],
  /** The first request with fields of a provider, or an original of another protocol. */
  originals: [
    'lib/core/generation/original/original-blocks.ts',
    'lib/pipeline/generation/bounds/cache-bounds.ts',
    'lib/pipeline/generation/conversation.ts',
    'lib/pipeline/generation/native/collect.ts',
    'lib/pipeline/generation/native/for-target.ts',
    'lib/pipeline/generation/native/read-native.ts',
  ],
  /** The first record of the ledger that is read. */
  records: ['lib/core/accounting/ledger-record.ts', 'lib/stores/usage/read-ledger.ts'],
  /** The first parameter of the parameter store. */
  settings: ['lib/runtime/stored-settings.ts'],
  /** The first traced request. */
  traces: ['lib/core/trace-context.ts'],
};
