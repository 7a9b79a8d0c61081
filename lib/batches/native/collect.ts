/**
 * Reads what a provider has answered: each result as if its line had been sent alone, with its record. May be repeated from the start:
 * the same results replace the same parts, and a record that is there stays. The job is written when all of that is stored; only then is
 * anything removed from the provider.
 */
import { eachConcurrently } from '../../async/each-concurrently.ts';
import type { BatchJob, BatchUse } from '../../core/batches.ts';
import { addUse, noUse, useOf } from '../../metering/batches/use.ts';
import type { BatchForm, LineResult } from '../../providers/batches/batch-form.ts';
import { jobIdOf, lineIdOf, readLines, recordIdOf, sliceOf } from '../lines/job-lines.ts';
import { type NoAnswer, notAnswered } from '../lines/results.ts';
import type { BatchLine } from '../ports.ts';
import { endingOf, readSnapshot, type Work } from '../work.ts';
import { openResults, withSettled } from './settle.ts';

/** Results that are read at a time: each waits for its record to be written. */
const readAtOnce = 16;

const noResult: NoAnswer = {
  code: 'provider_no_answer',
  message: 'The provider has ended the job without an answer to this request.',
};

type Answered = Extract<LineResult, { readonly status: number }>;

export async function collectEnded(work: Work, job: BatchJob, form: BatchForm): Promise<BatchJob> {
  const { parts, held, put } = work;
  const { hold, upstream = {}, submittingAt = 0 } = job;
  const batch = held.current();
  const jobId = jobIdOf(batch, job);
  const snapshot = await readSnapshot(parts, job);
  const [from, to] = [job.answered, job.answered + job.sending];
  const lines = new Map<string, { readonly line: BatchLine; readonly at: number }>();
  let place = from;
  for await (const line of sliceOf(readLines(job.parts.lines, parts.bytes), from, to)) {
    lines.set(lineIdOf(jobId, line.n), { line, at: place });
    place += 1;
  }
  const results = openResults(work, job);
  const waiting = new Set(lines.keys());
  let unknown = 0;
  let inParts = 0;
  let use: BatchUse = noUse;
  let first: { readonly line: BatchLine; readonly result: Answered } | undefined;
  let firstWhy = noResult;

  const read = async (line: BatchLine, at: number, result: Answered, isFirst: boolean) => {
    if (!hold) throw new Error('A job that was sent has something reserved.');
    const part = snapshot.amounts[at] ?? 0;
    const { answer, record } = await parts.lines.read(batch, {
      line,
      result,
      requestId: isFirst ? hold.record.requestId : recordIdOf(batch, line.n, job),
      snapshot,
      sentAt: submittingAt,
      hold,
      share: isFirst ? { inParts } : { part },
      granted: snapshot.granted[at] ?? undefined,
      guard: snapshot.guards?.[at] ?? [],
    });
    await results.answered(line, answer);
    if (!record) return false;
    if (!isFirst) inParts += part;
    use = addUse(use, useOf(record));
    return true;
  };

  const unanswered = async (line: BatchLine, at: number, why: NoAnswer) => {
    if (at === from) firstWhy = why;
    await results.unanswered(line, why);
  };

  // What the gateway has cancelled because the batch expired has expired.
  const ending = endingOf(work);
  const account = await parts.openAccount(job.provider, job.region);
  await eachConcurrently(form.results(account, upstream), readAtOnce, async (result) => {
    const known = lines.get(result.id);
    if (!known || !waiting.delete(result.id)) {
      unknown += 1;
      return;
    }
    const { line, at } = known;
    if ('unanswered' in result)
      await unanswered(line, at, ending ?? notAnswered[`batch_${result.unanswered}`]);
    // Its record has the rest of what is held, so it is the last one.
    else if (at === from) first = { line, result };
    else await read(line, at, result, false);
  });
  const said =
    upstream.unanswered === 'cancelled' || upstream.unanswered === 'expired'
      ? upstream.unanswered
      : undefined;
  const why = ending ?? (said ? notAnswered[`batch_${said}`] : noResult);
  for (const id of waiting) {
    const { line, at } = lines.get(id) ?? {};
    if (line && at !== undefined) await unanswered(line, at, why);
  }
  // Assigned in a callback, which the compiler does not follow.
  const last = first as { readonly line: BatchLine; readonly result: Answered } | undefined;
  const isRecorded = last ? await read(last.line, from, last.result, true) : false;
  if (hold && !isRecorded) await parts.holds.end(hold, inParts, last ? 'invalid_request' : firstWhy.code);
  if (unknown > 0) parts.log.error('batch results unknown', { batch: batch.id, job: job.n, unknown });
  const written = await results.flush();
  return await put(withSettled(job, { count: to - from, counts: results.counts(), use, results: written }));
}
