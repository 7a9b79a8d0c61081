/** Ends what was sent of a job, or will never be: its lines have their results, and the next ones may be sent. */
import type { BatchCounts, BatchJob, BatchUse } from '../../core/batches.ts';
import { addUse, noUse } from '../../metering/batches/use.ts';
import { nameIn, readLines, recordIdOf, sliceOf } from '../lines/job-lines.ts';
import { addCounts, type NoAnswer, type ResultParts, writeResults } from '../lines/results.ts';
import type { Work } from '../work.ts';

interface SettledLines {
  readonly count: number;
  readonly counts: BatchCounts;
  readonly use: BatchUse;
  readonly results: ResultParts;
}

/** The results of the lines from the first one without an answer on, in parts that a repeated step replaces. */
export const openResults = ({ parts, held }: Work, { n, answered }: BatchJob) =>
  writeResults(parts.bytes, held.current(), (what, part) =>
    nameIn(held.current(), `job-${n}`, `${answered}-${what}-${part}`),
  );

/** The job with these lines settled. What the provider has of it is still to be removed. */
export function withSettled(job: BatchJob, { count, counts, use, results }: SettledLines): BatchJob {
  const { hold: _, submittingAt: __, endedAt: ___, isCancelled: ____, ...kept } = job;
  const answered = job.answered + count;
  const { output = [], errors = [] } = job.parts;
  return {
    ...kept,
    status: answered < job.lines ? 'planned' : 'settled',
    answered,
    sending: 0,
    attempts: 0,
    polls: 0,
    nextAt: 0,
    parts: { ...job.parts, output: [...output, ...results.output], errors: [...errors, ...results.errors] },
    counts: { ...addCounts(job.counts, counts), total: job.lines },
    use: addUse(job.use ?? noUse, use),
  };
}

/** None of the next lines is answered. What is held for them is given back. */
export async function settleUnanswered(
  work: Work,
  job: BatchJob,
  why: NoAnswer,
  count = job.lines - job.answered,
): Promise<BatchJob> {
  const { parts, held, put } = work;
  const results = openResults(work, job);
  const lines = sliceOf(readLines(job.parts.lines, parts.bytes), job.answered, job.answered + count);
  const numbers: number[] = [];
  for await (const line of lines) {
    await results.unanswered(line, why);
    numbers.push(line.n);
  }
  const written = await results.flush();
  if (job.hold) {
    // Some of its answers may have been read, but not all.
    const [, ...others] = job.status === 'ended' ? numbers : [];
    const recorded = others.map((n) => recordIdOf(held.current(), n, job));
    await parts.holds.end(job.hold, await parts.holds.partsOf(job.hold, recorded), why.code);
  }
  return await put(withSettled(job, { count, counts: results.counts(), use: noUse, results: written }));
}
