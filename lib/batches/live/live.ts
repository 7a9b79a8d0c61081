/**
 * Answers lines as single requests, many at a time in one worker. What is done is written each few seconds, with its results; a worker
 * that is lost leaves no more to be repeated than what ran since, and that is charged once.
 */

import { eachConcurrently } from '../../async/each-concurrently.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import { type BatchJob, type BatchUse, lineCancelled } from '../../core/batches.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { addUse, noUse, useOf } from '../../metering/batches/use.ts';
import { nameIn, readLines } from '../lines/job-lines.ts';
import { addCounts, type NoAnswer, type ResultWriter, writeResults } from '../lines/results.ts';
import type { BatchLine } from '../ports.ts';
import { attempt, endingOf, endingWith, type Work } from '../work.ts';
import { isOpen, readAsked } from './asked.ts';
import { joinSmall } from './compact.ts';
import { createPace } from './pace.ts';

export interface WorkHost {
  readonly remainingMs: () => number;
  readonly signal: AbortSignal;
}

const flushMs = 5_000;

/** So long before its host ends, a worker begins no further line; what then still runs is given up later. */
const lastBeginMs = 150_000;
const giveUpMs = 45_000;

/** The most that one line may take. */
const maxLineMs = 600_000;

/** Records of lines that are not asked for again, read at a time. */
const readAtOnce = 16;

/** Of a line that fails for a reason that may pass. Refusals for its rate do not count. */
const maxTries = 4;

interface Waiting {
  readonly line: BatchLine;
  readonly place: number;
  tries: number;
  /** What the ledger has of it from a worker that was lost; null: nothing. Absent: it was not looked for. */
  lost?: LedgerItem | null;
}

/** Lines that are done, as a text of bits. */
function readDone({ upstream }: BatchJob, lines: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(lines / 8));
  if (isJsonObject(upstream) && typeof upstream.done === 'string')
    bits.set(Buffer.from(upstream.done, 'base64'));
  return bits;
}

const isDone = (bits: Uint8Array, at: number): boolean => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;

const setDone = (bits: Uint8Array, at: number): void => {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
};

/** Resolves when all lines are done, or the host ends soon. */
export async function answerLive(work: Work, planned: BatchJob, host: WorkHost): Promise<void> {
  const { parts, held, put } = work;
  const batch = held.current();
  const done = readDone(planned, planned.lines);
  const textOfDone = () => Buffer.from(done).toString('base64');
  const asked = readAsked(batch, planned, (id) => parts.lines.findRecord(batch, id));
  let job = await put({
    ...planned,
    status: 'submitting',
    attempts: planned.attempts + 1,
    nextAt: parts.now(),
    upstream: { done: textOfDone(), asked: asked.write(parts.now()) },
  });
  async function* waitingOf({ parts: { lines } }: BatchJob): AsyncGenerator<Waiting> {
    let place = 0;
    for await (const line of readLines(lines, parts.bytes)) {
      if (!isDone(done, place)) yield { line, place, tries: 0 };
      place += 1;
    }
  }
  const waiting = await Array.fromAsync(waitingOf(job));
  let written = 0;
  const open = (): ResultWriter => {
    const round = `${job.attempts}-${written++}`;
    return writeResults(parts.bytes, batch, (what, n) =>
      nameIn(batch, `job-${job.n}`, `${round}-${what}-${n}`),
    );
  };
  let results = open();
  let use: BatchUse = noUse;
  let flushedAt = parts.now();

  /** What is done by now is in one write with its results. */
  const flush = async (until: 'running' | 'left' | 'settled') => {
    const [full, used] = [results, use];
    flushedAt = parts.now();
    const upstream = { done: textOfDone(), asked: asked.write(flushedAt, until !== 'running') };
    results = open();
    use = noUse;
    const { output, errors } = await full.flush();
    const { output: earlier = [], errors: earlierErrors = [] } = job.parts;
    const { upstream: _, ...kept } = job;
    job = await put({
      ...kept,
      ...(until === 'settled' ? { status: 'settled', answered: job.lines } : { upstream }),
      nextAt: parts.now(),
      parts: { ...job.parts, output: [...earlier, ...output], errors: [...earlierErrors, ...errors] },
      counts: { ...addCounts(job.counts, full.counts()), total: job.lines },
      use: addUse(job.use ?? noUse, used),
    });
  };

  /** Of the results that are written. */
  const join = async () => {
    for (const what of ['output', 'errors'] as const) {
      const newName = () => nameIn(batch, `job-${job.n}`, parts.newId(`joined-${what}-`));
      const joined = await joinSmall(job.parts[what] ?? [], parts.bytes, newName);
      if (!joined) continue;
      job = await put({ ...job, parts: { ...job.parts, [what]: joined.parts } });
      await attempt(work, job, 'delete', () => parts.bytes.delete(joined.left));
    }
  };

  const pace = createPace();
  const giveUp = new AbortController();
  const running = new Set<Promise<void>>();
  let key = await parts.findKey(batch.key.hash);
  let failure: unknown;
  let tick: Promise<void> | undefined;

  const one = async (next: Waiting, requestId: string, found: NonNullable<typeof key>) => {
    const { line, place } = next;
    const asking = { n: line.n, place };
    next.lost ??= (await asked.findLost(asking)) ?? null;
    const { lost } = next;
    const until = parts.now() + maxLineMs;
    const { answer, record, retryAfterMs } = await parts.lines.live(batch, line, {
      key: found,
      requestId: lost?.record.requestId ?? requestId,
      ...(lost && { lost }),
      signal: giveUp.signal,
      remainingMs: () => Math.min(until - parts.now(), host.remainingMs()),
    });
    if (record) use = addUse(use, useOf(record));
    // Its record was open, and has ended now.
    if (lost && isOpen(lost)) next.lost = null;
    if (!next.lost) asked.end(asking);
    // What was given up is asked again by the next worker.
    if (giveUp.signal.aborted && answer.status > 299) return;
    if (retryAfterMs !== undefined) {
      const isRate = answer.status === 429;
      pace.refused(parts.now(), retryAfterMs);
      next.tries += isRate ? 0 : 1;
      if (next.tries < maxTries) return void waiting.push(next);
    } else pace.succeeded();
    setDone(done, place);
    asked.end(asking);
    // It was charged when it was answered first.
    if (next.lost) use = addUse(use, useOf(next.lost.record));
    await results.answered(line, answer);
  };

  /** Why no further line begins; undefined: others may. */
  const ending = async (): Promise<NoAnswer | undefined> => {
    // It is known for seconds, so that what is changed of it holds as soon as for any other request.
    key = await parts.findKey(batch.key.hash);
    return endingWith(key) ?? endingOf(work);
  };

  const isLeaving = () => host.signal.aborted || host.remainingMs() < lastBeginMs;
  const leave = () => giveUp.abort(new Error('The worker ends.'));
  host.signal.addEventListener('abort', leave, { once: true });
  let why: NoAnswer | undefined;
  try {
    while (failure === undefined && (waiting.length > 0 || running.size > 0)) {
      why ??= await ending();
      // What was cancelled is not waited for.
      if (why?.code === lineCancelled) leave();
      if (why || isLeaving()) {
        if (running.size === 0) break;
        if (host.remainingMs() < giveUpMs) leave();
      }
      while (!why && key && !isLeaving() && pace.mayBegin(running.size, parts.now())) {
        const next = waiting.shift();
        if (!next) break;
        const requestId = asked.begin({ n: next.line.n, place: next.place });
        const begun: Promise<void> = one(next, requestId, key)
          .catch((thrown: unknown) => {
            failure = thrown;
          })
          .finally(() => running.delete(begun));
        running.add(begun);
      }
      const pauseMs = Math.min(1_000, pace.pauseMs(parts.now()) || 1_000);
      tick ??= parts.sleep(pauseMs, host.signal).finally(() => {
        tick = undefined;
      });
      await Promise.race([...running, tick]);
      if (parts.now() - flushedAt < flushMs) continue;
      await flush('running');
      await join();
    }
    await Promise.all(running);
    if (failure !== undefined) throw failure;
    if (why) {
      const code = why;
      await eachConcurrently(waitingOf(job), readAtOnce, async ({ line, place }) => {
        const found = await asked.findLost({ n: line.n, place });
        if (found && !isOpen(found)) use = addUse(use, useOf(found.record));
        await results.unanswered(line, code);
      });
      await flush('settled');
    } else await flush(waiting.length === 0 ? 'settled' : 'left');
  } finally {
    host.signal.removeEventListener('abort', leave);
  }
}
