/**
 * Reads the file of a batch once, prepares each of its requests for a provider, and gathers them in jobs. A file that is not as it must
 * be is refused as a whole; a request that would be refused as a single one has that answer as its result.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Batch, BatchCounts, BatchProblem, PlannedLines } from '../../core/batches.ts';
import { readParts } from '../../core/file-bytes.ts';
import { splitLines } from '../../core/formats/json-lines.ts';
import { nameIn, readLines } from '../lines/job-lines.ts';
import { maxLineBytes, readLine } from '../lines/read-line.ts';
import { type ResultParts, writeResults } from '../lines/results.ts';
import { type BatchLine, type BatchParts, deploymentKey } from '../ports.ts';
import { type ClosedJob, openGroups } from './groups.ts';
import { prepareLine } from './prepare-line.ts';

const maxProblems = 100;

const maxLines = { openai: 50_000, anthropic: 100_000 } as const;

type Planned =
  | { readonly problems: readonly BatchProblem[] }
  | { readonly jobs: readonly ClosedJob[]; readonly plan: readonly PlannedLines[]; readonly total: number };

/** So many lines are read until others have a turn, such as the renewal of the lease. */
const linesInTurn = 32;

/** `check` rejects where the batch is no longer the worker's own, or need not be planned any more. */
export async function planBatch(
  parts: BatchParts,
  batch: Batch,
  check: () => Promise<void>,
): Promise<Planned> {
  const { bytes } = parts;
  let directories = 0;
  // Each pass writes apart: one that was taken for lost may still write.
  const newDirectory = () => `${batch.version}-${directories++}`;
  const groups = openGroups(bytes, batch, newDirectory);
  const refusedIn = newDirectory();
  const refused = writeResults(bytes, batch, (what, n) => nameIn(batch, refusedIn, `${what}-${n}`));
  const problems: BatchProblem[] = [];
  const seen = new Set<string>();
  let total = 0;
  let firstRefused: number | undefined;

  const addTo = async (to: typeof groups, line: BatchLine, without: ReadonlySet<string>) => {
    const prepared = await prepareLine(parts, batch, line, without);
    if (prepared.by === 'native') return await to.addNative(line, prepared.line, prepared.form);
    if (prepared.by === 'live') return await to.addLive(line, prepared.line);
    firstRefused ??= line.n;
    await refused.answered(line, prepared.answer);
  };

  for await (const one of splitLines(readParts(batch.input, bytes), maxLineBytes)) {
    if (one.n % linesInTurn === 0) await setImmediate();
    if (one.n % 1_024 === 0) await check();
    const read = readLine(batch, one);
    if (!read) continue;
    total += 1;
    if (total > maxLines[batch.contract]) {
      const message = `A batch has at most ${maxLines[batch.contract]} requests.`;
      return { problems: [{ code: 'too_many_requests', message }] };
    }
    const problem = 'problem' in read ? read.problem : duplicateIn(seen, read.line);
    if (problem) problems.push({ ...problem, line: one.n + 1 });
    if (problems.length >= maxProblems) break;
    // Of a file that is refused, no line is sent.
    if (problems.length === 0 && 'line' in read) await addTo(groups, read.line, new Set());
  }
  if (problems.length > 0) return { problems };
  if (total === 0) return { problems: [{ code: 'empty_file', message: 'The file has no requests.' }] };

  const jobs: ClosedJob[] = [];
  const tooSmall = new Set<string>();
  let { jobs: closed, small } = await groups.close();
  jobs.push(...closed);
  while (small.length > 0) {
    // Each round leaves out at least one deployment more.
    for (const job of small) tooSmall.add(deploymentKey(job));
    const others = openGroups(bytes, batch, newDirectory);
    for (const job of small) {
      for await (const line of readLines(job.parts.lines, bytes)) await addTo(others, line, tooSmall);
      await bytes.delete(Object.values(job.parts).flatMap((list) => list.map(({ name }) => name)));
    }
    ({ jobs: closed, small } = await others.close());
    jobs.push(...closed);
  }
  const { output, errors } = await refused.flush();
  if (errors.length > 0) jobs.push(refusedJob(firstRefused ?? 0, refused.counts(), { output, errors }));
  return { jobs, plan: planOf(jobs), total };
}

function duplicateIn(seen: Set<string>, { customId }: BatchLine): Omit<BatchProblem, 'line'> | undefined {
  const known = seen.size;
  // No two ids have this much of a hash in common.
  seen.add(hash('sha256', customId, 'base64').slice(0, 22));
  if (seen.size > known) return undefined;
  return {
    code: 'duplicate_custom_id',
    message: 'The custom_id is that of an earlier request. Each must be unique.',
    param: 'custom_id',
  };
}

/** Lines that have their answer already. */
const refusedJob = (firstLine: number, counts: BatchCounts, { output, errors }: ResultParts): ClosedJob => ({
  by: 'refused',
  model: '',
  provider: '',
  region: '',
  lines: counts.total,
  firstLine,
  answered: counts.total,
  sending: 0,
  status: 'settled',
  parts: { output, errors },
  attempts: 0,
  polls: 0,
  nextAt: 0,
  counts,
  priceFactor: null,
});

/** What becomes of the lines of each deployment. */
function planOf(jobs: readonly ClosedJob[]): readonly PlannedLines[] {
  const plan = new Map<string, PlannedLines>();
  for (const { by, model, provider, region, lines, priceFactor } of jobs) {
    if (by === 'refused') continue;
    const key = `${by} ${deploymentKey({ model, provider, region })}`;
    const others = plan.get(key)?.lines ?? 0;
    const kind = by === 'live' ? 'live' : 'native';
    plan.set(key, { model, provider, region, lines: others + lines, by: kind, priceFactor });
  }
  return [...plan.values()];
}
