/** Ends a batch all of whose jobs are settled: its files are the parts that they have. */
import type { Batch, BatchCounts, BatchJob, BatchStatus, BatchUse } from '../core/batches.ts';
import type { FilePart, StoredFile } from '../core/files.ts';
import { timedId } from '../core/names/new-id.ts';
import { addUse, noUse } from '../metering/batches/use.ts';
import type { HeldBatch } from './lease.ts';
import { addCounts, noCounts } from './lines/results.ts';
import type { BatchParts } from './ports.ts';
import type { Work } from './work.ts';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

export const sumOfCounts = (jobs: readonly BatchJob[]): BatchCounts =>
  jobs.reduce((sum, { counts }) => addCounts(sum, counts), noCounts);

const sumOfUse = (jobs: readonly BatchJob[]): BatchUse =>
  jobs.reduce((sum, { use }) => addUse(sum, use ?? noUse), noUse);

/** Changes the status, with its time. */
export const becoming =
  (status: BatchStatus, now: number) =>
  ({ times }: Batch): Partial<Batch> => ({
    status,
    times: { ...times, [status]: times[status] ?? seconds(now) },
  });

/** Of a batch that has no file. */
export async function endBatch(
  { now }: BatchParts,
  held: HeldBatch,
  status: BatchStatus,
  more: Partial<Batch> = {},
): Promise<void> {
  await held.change((batch) => ({ ...more, ...becoming(status, now())(batch) }));
}

export async function finish({ parts, held, jobs: listed }: Work): Promise<void> {
  const { now, bytes } = parts;
  const jobs = listed();
  const partsOf = (what: 'output' | 'errors') => jobs.flatMap((job) => job.parts[what] ?? []);
  const [output, errors] = [partsOf('output'), partsOf('errors')];
  // Their ids are written first, so that a second attempt has no files of its own.
  const batch = await held.change((current) => ({
    ...(current.status === 'cancelling' ? {} : becoming('finalizing', now())(current)),
    ...(output.length > 0 && { outputFile: current.outputFile ?? timedId('file-', now()) }),
    ...(errors.length > 0 && { errorFile: current.errorFile ?? timedId('file-', now()) }),
    counts: sumOfCounts(jobs),
    use: sumOfUse(jobs),
  }));
  const { outputFile, errorFile } = batch;
  if (outputFile !== undefined) await parts.files.put(fileOf(batch, outputFile, 'output', output, now()));
  if (errorFile !== undefined) await parts.files.put(fileOf(batch, errorFile, 'error', errors, now()));
  const end = (current: Batch): BatchStatus => {
    if (current.status === 'cancelling') return 'cancelled';
    return current.counts.expired > 0 ? 'expired' : 'completed';
  };
  await held.change((current) => becoming(end(current), now())(current));
  const left = jobs.flatMap((job) => leftOf(job.parts).map(({ name }) => name));
  // What is not deleted now is deleted with everything as old.
  await bytes.delete(left).catch(() => {});
}

/** What was kept to send the lines, and to read their answers. */
const leftOf = ({ lines = [], requests = [], snapshot = [] }: BatchJob['parts']): readonly FilePart[] => [
  ...lines,
  ...requests,
  ...snapshot,
];

const fileOf = (
  { tenant, id: batch, key, outputSeconds }: Batch,
  id: string,
  what: 'output' | 'error',
  parts: readonly FilePart[],
  now: number,
): StoredFile => ({
  tenant,
  id,
  key: key.id,
  filename: `${batch}_${what}.jsonl`,
  purpose: 'batch_output',
  bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
  createdAt: seconds(now),
  expiresAt: seconds(now) + outputSeconds,
  parts,
});
