/**
 * The worker of a background response. Its request is answered as that of a caller, with the same limits, log line and record; what
 * would be sent to the caller is written to the log. No caller's leaving ends it: only a cancellation, a deletion and the host do.
 */
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createBlockWriter, nowhere } from '../../../async/block-writer.ts';
import type { BackgroundStore, Run, RunHost, RunResponse } from '../../../core/background.ts';
import { internalMessage } from '../../../core/errors/errors.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Log } from '../../../core/ports/log.ts';
import { CallerLeft } from '../../../core/read-on.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import type { RunOption } from '../endpoint.ts';
import { firstOfWorker, numbered, textOf } from './event-text.ts';
import { failedObject, signMs } from './run-state.ts';

/** The request of a run, as the gateway answers it. */
export interface AskedRun {
  readonly run: Run;
  readonly request: JsonObject;
  readonly option: RunOption;
  /** Stores the response if the run is still the worker's own. */
  readonly responses: ResponseStore;
}

/** An answer whose text is no stream is an error. */
export type AnswerRun = (
  asked: AskedRun,
  host: RunHost,
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
  readonly answer: AnswerRun;
}

export function createRunResponse(parts: RunParts): RunResponse {
  return async (ref, host) => {
    const { runs, log } = parts;
    const facts = { request_id: host.requestId, tenant: ref.tenant, response_id: ref.id };
    const worker = parts.newId('worker_');
    const run = await runs.begin(ref, worker);
    if (!run) return;
    try {
      await work(parts, run, worker, host);
    } catch (thrown) {
      log.error('background response failed', { ...facts, ...failureFields(thrown) });
      await runs.end(ref, worker, { status: 'failed', failure: internalMessage }).catch(() => {});
    }
  };
}

async function work(parts: RunParts, run: Run, worker: string, host: RunHost): Promise<void> {
  const { runs, responses } = parts;
  const [request, begun] = await Promise.all([
    run.request && runs.read(run, run.request),
    runs.read(run, run.begun),
  ]);
  // It was deleted meanwhile.
  if (!request || !begun) return;
  const output = run.streamed ? createBlockWriter((n, text) => runs.append(run, n, text)) : nowhere();
  // It is destroyed where the run is cancelled.
  output.on('error', () => {});
  const left = new AbortController();
  const leave = () => {
    left.abort(new CallerLeft(left.signal));
    output.destroy();
  };
  const signs = setInterval(() => {
    runs.renew(run, worker).then(
      (isOwn) => isOwn || leave(),
      (cause) => parts.log.warn('background response not renewed', failureFields(cause)),
    );
  }, signMs);
  let final: JsonObject | undefined;
  let isStored = false;
  const guarded: ResponseStore = {
    ...responses,
    // From now on the run cannot be cancelled: its response is complete.
    async put(tenant, id, stored) {
      if (await runs.end(run, worker, { status: 'done' })) {
        await responses.put(tenant, id, stored);
        isStored = true;
        // It may have been deleted before the response was there to delete.
        if (!(await runs.renew(run, worker))) await responses.delete(tenant, id);
      } else leave();
    },
  };
  const option: RunOption = {
    id: run.id,
    createdAt: Number(begun.created_at),
    firstEvent: firstOfWorker,
    ended(response) {
      final = response;
    },
  };
  try {
    const signal = AbortSignal.any([left.signal, ...(host.signal ? [host.signal] : [])]);
    const asked = { run, request, option, responses: guarded };
    const { statusCode, body } = await parts.answer(asked, { ...host, signal });
    if (typeof body === 'string') {
      final = failedObject(begun, messageOf(body), statusCode);
      output.write(textOf(numbered('response.failed', firstOfWorker, final)));
    } else await body.sendTo(output);
    output.end();
    await finished(output);
  } catch (thrown) {
    if (!left.signal.aborted) {
      if (!final) throw thrown;
      // A response that is complete stays so where only the end of its log is lost.
      parts.log.warn('background response without the end of its log', failureFields(thrown));
    }
  } finally {
    clearInterval(signs);
  }
  if (!final || isStored) return;
  const status = final.status === 'failed' ? 'failed' : 'done';
  await runs.end(run, worker, { status, final });
}

/** What the body of an error says. */
function messageOf(body: string): string {
  const { error }: { error?: unknown } = JSON.parse(body);
  return isJsonObject(error) ? String(error.message) : internalMessage;
}
