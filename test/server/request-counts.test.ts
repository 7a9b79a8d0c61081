/** What the metrics of a process count. */
import { expect, test } from 'vitest';
import type { FinishedAttempt } from '../../lib/core/accounting/ledger.ts';
import type { MeasuredRequest } from '../../lib/core/ports/request-metrics.ts';
import { createRequestCounts } from '../../server/metrics/request-counts.ts';

const attempt = (provider: string, error?: FinishedAttempt['error']): FinishedAttempt => ({
  provider,
  model: 'openai/gpt-4.1',
  region: 'global',
  at: 0,
  inputTokens: 1,
  ...(error && { error }),
});

const ended = (attempts: readonly FinishedAttempt[], error?: MeasuredRequest['error']): MeasuredRequest => ({
  operation: 'chat-completions',
  endedAt: 0,
  isFailed: error !== undefined,
  error,
  attempts,
  streamed: false,
  firstByteMs: undefined,
  totalMs: 1,
});

test('responses by operation and status, refusals by their reason, and calls of providers', () => {
  const counts = createRequestCounts();
  counts.respond(200, 'chat-completions');
  counts.respond(200, 'chat-completions');
  counts.respond(404);
  counts.refuse('UNKNOWN_ROUTE');
  counts.measure(ended([attempt('openai'), attempt('azure', 'provider_timeout')]));
  counts.measure(ended([attempt('azure', 'provider_timeout')], 'upstream_timeout'));
  counts.measure(ended([], 'rate_limited'));
  counts.measure(ended([]));
  expect(counts.read()).toEqual({
    responses: {
      'operation="chat-completions",status="200"': 2,
      'operation="none",status="404"': 1,
    },
    refusals: { 'reason="unknown_route"': 1, 'reason="rate_limited"': 1 },
    providerCalls: { 'provider="openai"': 1, 'provider="azure"': 2 },
    providerFailures: { 'provider="azure"': 2 },
  });
});

test('beyond 500 series of a metric, others are counted together', () => {
  const counts = createRequestCounts();
  for (let status = 0; status < 503; status++) counts.respond(status, 'models-list');
  counts.respond(0, 'models-list');
  const { responses } = counts.read();
  expect(Object.keys(responses)).toHaveLength(501);
  expect([responses['other="true"'], responses['operation="models-list",status="0"']]).toEqual([3, 2]);
});
