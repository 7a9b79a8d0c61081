/**
 * The worker of a background response. Its request is answered as that of a caller, with the same limits, log line and record; what
 * would be sent to the caller is written to the log. No caller's leaving ends it: only a cancellation, a deletion and the host do.
 * What a provider creates in the background is handed over before the host ends, and read on by the next worker.
 */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBlockWriter, nowhere } from '../../../async/block-writer.ts';
import { retry } from '../../../async/retry.ts';
import { maxRunMs } from '../../../core/accounting/interrupted.ts';
import {
  type BackgroundStore,
  handedOver,
  type Run,
  type RunHost,
  type RunRef,
  type RunResponse,
  type StartRun,
} from '../../../core/background.ts';
import { internalMessage } from '../../../core/errors/errors.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { Interrupt } from '../../../core/interrupt.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import type { RunOption } from '../endpoint.ts';
import { beforeWorker, type ContinuedLog, continueLog } from './continue-log.ts';
import { firstOfWorker, numbered, textOf } from './event-text.ts';
import { failedObject, signMs } from './run-state.ts';
import { type EndUpstream, endingOf, upstreamOf } from './run-upstream.ts';

/** The request of a run, as the gateway answers it. */
interface AskedRun {
  readonly run: Run;
  readonly request: JsonObject;
  readonly option: RunOption;
  /** Stores the response if the run is still the worker's own. */
  readonly responses: ResponseStore;
}

/** An answer whose text is no stream is an error. */
export type AnswerRun = (
  asked: AskedRun,
  host: Omit<RunHost, 'signal'> & { readonly interrupt: Interrupt },
) => Promise<{
  readonly statusCode: number;
  readonly body: string | { sendTo(response: Writable): Promise<void> };
}>;

export interface RunParts {
  readonly runs: BackgroundStore;
  readonly responses: ResponseStore;
  readonly log: Log;
  /** A new random id with this prefix: an event may arrive twice under one id of Lambda. */
  readonly newId: (prefix: string) => string;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Starts the next worker of a run. Absent: the next request for it does. */
  readonly start?: StartRun | undefined;
  readonly end: EndUpstream;
  readonly answer: AnswerRun;
}

/** The pauses between attempts to begin. */
const beginPausesMs = [200, 1_000, 3_000];

/** So long before its host ends, a worker hands over. */
const handOverMs = 20_000;

/** So long after its last sign, a worker writes: it is not taken for lost yet. */
const trustedMs = 45_000;

export function createRunResponse(parts: RunParts): RunResponse {
  return async (ref, host) => {
    const { runs, log } = parts;
    const facts = { request_id: host.requestId, tenant: ref.tenant, response_id: ref.id };
    if (ref.left) return await endingOf(parts, ref)(ref.left);
    const worker = parts.newId('worker_');
    // A worker that has begun, and does not know it, would leave the run to no one.
    const run = await retry(() => runs.begin(ref, worker), { pausesMs: beginPausesMs });
    if (!run) return await endCancelled(parts, ref);
    try {
      return await work(parts, run, worker, host);
    } catch (thrown) {
      log.error('background response failed', { ...facts, ...failureFields(thrown) });
      await runs.end(ref, worker, { status: 'failed', failure: internalMessage }).catch(() => {});
    }
  };
}

/** What a provider goes on with for a run that was cancelled between two workers, by one that can start none. */
async function endCancelled(parts: RunParts, ref: RunRef): Promise<void> {
  const run = await parts.runs.find(ref);
  if (run?.status === 'cancelled' && run.upstream && run.worker === undefined)
    await endingOf(parts, ref)(run.upstream);
}

async function work(
  parts: RunParts,
  run: Run,
  worker: string,
  { signal, ...host }: RunHost,
): Promise<unknown> {
  const { runs, responses } = parts;
  const [request, begun] = await Promise.all([
    run.request && runs.read(run, run.request),
    runs.read(run, run.begun),
  ]);
  const copies = upstreamOf(parts, run, worker, () => handOverLate());
  // It was deleted meanwhile.
  if (!request || !begun) return await copies.remove();
  const createdAt = Number(begun.created_at);
  const interrupt = new Interrupt();
  let output: Writable | undefined;
  let log: ContinuedLog | undefined;
  const leave = () => {
    interrupt.leave();
    output?.destroy();
  };
  const leaveTo = (next: boolean) => {
    if (next) log?.close();
    leave();
    return next;
  };
  const handOver = () => copies.handOver(parts.now() - createdAt * 1_000 < maxRunMs) && leaveTo(true);
  const leftMs = () => host.remainingMs() - handOverMs;
  const handOverLate = () => leftMs() < 0 && handOver();
  // The run has ended, or its worker was taken for lost.
  const lose = async () => leaveTo(copies.lose(await runs.find(run)));
  let signedAt = parts.now();
  const sign = async () => {
    const at = parts.now();
    if (await runs.renew(run, worker)) signedAt = at;
    else await lose();
  };
  const signs = setInterval(() => {
    handOverLate();
    sign().catch((cause) => parts.log.warn('background response not renewed', failureFields(cause)));
  }, signMs);
  const onStop = () => handOver() || interrupt.stop(signal?.reason);
  signal?.addEventListener('abort', onStop);
  const handingOver = setTimeout(handOver, Math.max(0, leftMs()));
  let final: JsonObject | undefined;
  let isStored = false;
  const guarded: ResponseStore = {
    ...responses,
    // From now on the run cannot be cancelled: its response is complete.
    async put(tenant, id, stored) {
      copies.complete();
      if (await runs.end(run, worker, { status: 'done' })) {
        await responses.put(tenant, id, stored);
        isStored = true;
        // It may have been deleted before the response was there to delete.
        if (!(await runs.renew(run, worker))) await responses.delete(tenant, id);
      } else await lose();
    },
  };
  const option: RunOption = {
    id: run.id,
    createdAt,
    firstEvent: firstOfWorker,
    upstream: copies.upstream,
    ended(response) {
      // One that is handed over has only been left.
      if (copies.left()) return;
      copies.complete();
      final = response;
    },
  };
  try {
    if (run.streamed) log = await continueLog(runs, run, () => parts.now() - signedAt < trustedMs);
    output = log ? createBlockWriter(log.append) : nowhere();
    // It is destroyed where the run is cancelled or handed over.
    output.on('error', () => {});
    if (signal?.aborted) onStop();
    if (interrupt.isRaised) output.destroy();
    const asked = { run, request, option, responses: guarded };
    const { statusCode, body } = await parts.answer(asked, { ...host, interrupt });
    if (typeof body !== 'string') await body.sendTo(output);
    else if (!copies.upstream.isHandedOver()) {
      final = failedObject(begun, messageOf(body), statusCode);
      const { sequence } = log?.position() ?? beforeWorker;
      output.write(textOf(numbered('response.failed', sequence + 1, final)));
    }
    output.end();
    await finished(output);
  } catch (thrown) {
    if (!interrupt.isRaised) {
      if (!final) {
        await copies.remove();
        throw thrown;
      }
      // A response that is complete stays so where only the end of its log is lost.
      parts.log.warn('background response without the end of its log', failureFields(thrown));
    }
  } finally {
    clearInterval(signs);
    clearTimeout(handingOver);
    signal?.removeEventListener('abort', onStop);
    await log?.written();
  }
  if (copies.isLost()) return handedOver;
  const upstream = final ? undefined : copies.left();
  if (upstream) {
    const leaving = { upstream, logged: log?.position() ?? beforeWorker };
    const isLeft = await runs.handOver(run, worker, leaving).catch(() => undefined);
    // The next request for it starts the worker again. Without an answer of the database, it is taken for lost.
    if (isLeft) await parts.start?.(run).catch(() => {});
    if (isLeft !== false) return handedOver;
  }
  if (final && !isStored) {
    await runs.end(run, worker, { status: final.status === 'failed' ? 'failed' : 'done', final });
  }
  await copies.remove();
}

/** What the body of an error says. */
function messageOf(body: string): string {
  const { error }: { error?: unknown } = JSON.parse(body);
  return isJsonObject(error) ? String(error.message) : internalMessage;
}
