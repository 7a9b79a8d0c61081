/** Makes spans and metrics of the changes of the ledger, and sends them. */
import type { LedgerChange } from '../core/accounting/journal.ts';
import type { LedgerRecord } from '../core/accounting/ledger.ts';
import { isSampled } from '../core/trace-context.ts';
import type { Export, Payload } from './export.ts';
import { metricsOf } from './metrics.ts';
import { metricsBody, type Sender, type Span, traceBody } from './otlp.ts';
import { spansOf, traceOf } from './spans.ts';

interface TelemetryOptions {
  readonly sender: Sender;
  /** Absent: they are not sent. */
  readonly traces?: Export;
  readonly metrics?: Export;
  /** The time in milliseconds. */
  readonly now: () => number;
}

/**
 * Sends what one batch of a shard of the stream has ended. Never rejects, and takes `maxSendMs` at most: sums and limits must not wait
 * for a collector.
 */
export type SendTelemetry = (shard: string, changes: readonly LedgerChange[]) => Promise<void>;

/** For one batch of changes, in milliseconds. A process that is to stop has eight seconds for the running batches. */
const maxSendMs = 5_000;

/** Spans of one request to a collector. CloudWatch takes 10,000, and 5 MB. Source: CloudWatch-OTLPEndpoint.html. */
export const maxSpans = 500;

/** Bytes of one request to a collector, before it is compressed. */
const maxTraceBytes = 1024 * 1024;

/** Shards whose last change a process remembers. More are forgotten all at once. */
const maxShards = 1_000;

export function createSendTelemetry({ sender, traces, metrics, now }: TelemetryOptions): SendTelemetry {
  const isNew = createSeen();
  let measuredUntil = now();
  /** Each interval begins where the last one ended: a sender must not measure a time twice. */
  const interval = () => {
    const from = measuredUntil;
    measuredUntil = Math.max(now(), from + 1);
    return { from, to: measuredUntil };
  };
  return async (shard, changes) => {
    const records = endedIn(changes.filter((change) => isNew(shard, change)));
    if (records.length === 0) return;
    const until = now() + maxSendMs;
    await Promise.all([
      traces?.(payloadsOf(sender, records), until),
      metrics?.(measure(sender, records, interval()), until),
    ]);
  };
}

/** A record that gets another cost after its end has had its spans. */
const endedIn = (changes: readonly LedgerChange[]): readonly LedgerRecord[] =>
  changes.flatMap(({ before, after }) =>
    after?.state === 'done' && before?.state !== 'done' ? after.record : [],
  );

/** A batch that comes again has the same spans, but its metrics would count twice: this process knows how far it was. */
function createSeen() {
  const last = new Map<string, bigint>();
  return (shard: string, { sequence }: LedgerChange): boolean => {
    const position = BigInt(sequence);
    const isNew = position > (last.get(shard) ?? -1n);
    if (isNew && !last.has(shard) && last.size >= maxShards) last.clear();
    if (isNew) last.set(shard, position);
    return isNew;
  };
}

/** The spans of sampled requests, in as few bodies as the bounds allow. */
function payloadsOf(sender: Sender, records: readonly LedgerRecord[]): readonly Payload[] {
  const payloads: Payload[] = [];
  let spans: string[] = [];
  let bytes = 0;
  const end = () => {
    if (spans.length > 0) payloads.push({ body: traceBody(sender, spans), count: spans.length });
    spans = [];
    bytes = 0;
  };
  const add = (span: Span) => {
    const text = JSON.stringify(span);
    const length = Buffer.byteLength(text) + 1;
    if (spans.length === maxSpans || bytes + length > maxTraceBytes) end();
    spans.push(text);
    bytes += length;
  };
  for (const record of records) {
    if (isSampled(traceOf(record))) for (const span of spansOf(record)) add(span);
  }
  end();
  return payloads;
}

function measure(
  sender: Sender,
  records: readonly LedgerRecord[],
  interval: { readonly from: number; readonly to: number },
): readonly Payload[] {
  const metrics = metricsOf(records, interval);
  const count = metrics.reduce((sum, { histogram }) => sum + histogram.dataPoints.length, 0);
  return count === 0 ? [] : [{ body: metricsBody(sender, metrics), count }];
}
