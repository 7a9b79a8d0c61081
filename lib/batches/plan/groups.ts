/** Gathers prepared lines in jobs: those of one deployment that are sent together, within what its batch API takes. */
import type { Batch, BatchJob } from '../../core/batches.ts';
import type { ByteStore, FilePart } from '../../core/files.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GuardRecord } from '../../core/guardrails/guard-record.ts';
import type { BatchForm, BatchLimits, LineRequest } from '../../providers/batches/batch-form.ts';
import { nameIn, writeLine } from '../lines/job-lines.ts';
import { noCounts } from '../lines/results.ts';
import { type ShardWriter, writeShards } from '../lines/shards.ts';
import type { BatchLine, JobSnapshot, LineTarget, LiveLine, PreparedLine } from '../ports.ts';

/** What a worker takes of a job into memory. */
const maxJobLines = 10_000;
const maxJobBytes = 16 * 1024 * 1024;

/** What is held of all jobs together. */
const maxHeldBytes = 8 * 1024 * 1024;

/** Lines of one deployment, and what they have in common. */
interface OpenJob {
  readonly target: LineTarget;
  readonly by: string;
  readonly limits: BatchLimits;
  readonly directory: string;
  readonly lines: ShardWriter;
  readonly requests: ShardWriter;
  readonly snapshot: Omit<JobSnapshot, 'numbers' | 'amounts' | 'granted' | 'guards'> | undefined;
  readonly numbers: number[];
  readonly amounts: (number | null)[];
  readonly granted: (number | null)[];
  readonly guards: (readonly GuardRecord[] | null)[];
  readonly firstLine: number;
  count: number;
  bytes: number;
  inputs: number;
}

/** What a line takes of the limits of its job. */
type Size = Pick<OpenJob, 'bytes' | 'inputs'>;

export interface ClosedJob extends Omit<BatchJob, 'n'> {
  /** As `PlannedLines` has it. */
  readonly priceFactor: number | null;
}

interface Groups {
  addNative(line: BatchLine, prepared: PreparedLine, form: BatchForm): Promise<void>;
  addLive(line: BatchLine, live: LiveLine): Promise<void>;
  /** Ends all jobs. `small`: those that are too few for their provider. */
  close(): Promise<{ readonly jobs: readonly ClosedJob[]; readonly small: readonly ClosedJob[] }>;
}

export const openGroups = (bytes: ByteStore, batch: Batch, newDirectory: () => string): Groups => {
  const open = new Map<string, OpenJob>();
  const full = new Map<string, OpenJob[]>();

  const begin = (
    target: LineTarget,
    by: string,
    limits: BatchLimits,
    firstLine: number,
  ): Omit<OpenJob, 'snapshot'> => {
    const directory = newDirectory();
    const shards = (what: string) => writeShards(bytes, (n) => nameIn(batch, directory, `${what}-${n}`));
    return {
      target,
      by,
      limits,
      directory,
      lines: shards('lines'),
      requests: shards('requests'),
      numbers: [],
      amounts: [],
      granted: [],
      guards: [],
      firstLine,
      count: 0,
      bytes: 0,
      inputs: 0,
    };
  };

  const hasRoom = ({ limits, ...job }: OpenJob, more: Size) =>
    job.count < Math.min(limits.lines, maxJobLines) &&
    job.bytes + more.bytes <= Math.min(limits.bytes, maxJobBytes) &&
    job.inputs + more.inputs <= (limits.inputs ?? Number.POSITIVE_INFINITY);

  const jobFor = (key: string, more: Size, create: () => OpenJob): OpenJob => {
    const known = open.get(key);
    if (known && hasRoom(known, more)) return known;
    if (known) full.set(key, [...(full.get(key) ?? []), known]);
    const job = create();
    open.set(key, job);
    return job;
  };

  /** The fullest parts are stored where all together are too much to hold. */
  const relieve = async () => {
    const shards = [...open.values(), ...[...full.values()].flat()].flatMap(({ lines, requests }) => [
      lines,
      requests,
    ]);
    if (shards.reduce((sum, { held }) => sum + held(), 0) <= maxHeldBytes) return;
    const [fullest] = shards.toSorted((one, other) => other.held() - one.held());
    await fullest?.flush();
  };

  const add = async (job: OpenJob, line: BatchLine, request: string | undefined, size: Size) => {
    job.count += 1;
    job.bytes += size.bytes;
    job.inputs += size.inputs;
    await job.lines.write(writeLine(line));
    if (request !== undefined) await job.requests.write(request);
    await relieve();
  };

  return {
    async addNative(line, prepared, form) {
      const { request, snapshot: model, upstreamModel, first, amount, granted, ...target } = prepared;
      const shared = form.shared?.(request) ?? '';
      const written = JSON.stringify({ n: line.n, request });
      const key = [target.provider, target.region, upstreamModel, target.model, request.path, shared].join(
        '\n',
      );
      const size = {
        bytes: Math.max(line.body.length, Buffer.byteLength(written)),
        inputs: form.limits.inputs === undefined ? 0 : inputsOf(request),
      };
      const job = jobFor(key, size, () => ({
        ...begin(target, target.provider, form.limits, line.n),
        snapshot: { model, path: request.path, upstreamModel, first },
      }));
      job.numbers.push(line.n);
      job.amounts.push(amount);
      job.granted.push(granted ?? null);
      job.guards.push(first.guard ?? null);
      await add(job, line, written, size);
    },
    async addLive({ n, customId }, { body, ...target }) {
      const key = `live\n${target.provider}\n${target.region}\n${target.model}`;
      const limits = { lines: maxJobLines, bytes: maxJobBytes };
      const size = { bytes: body.length, inputs: 0 };
      const job = jobFor(key, size, () => ({
        ...begin(target, 'live', limits, n),
        snapshot: undefined,
      }));
      await add(job, { n, customId, body }, undefined, size);
    },
    async close() {
      const jobs: ClosedJob[] = [];
      const small: ClosedJob[] = [];
      for (const [key, last] of open) {
        for (const group of joined([...(full.get(key) ?? []), last])) {
          const count = group.reduce((sum, one) => sum + one.count, 0);
          const isSmall = count < (last.limits.minLines ?? 1);
          (isSmall ? small : jobs).push(await closed(group));
        }
      }
      const ordered = jobs.toSorted((one, other) => one.firstLine - other.firstLine);
      return { jobs: ordered, small };
    },
  };

  async function closed(group: readonly OpenJob[]): Promise<ClosedJob> {
    const [first] = group;
    if (!first) throw new RangeError('A job has lines.');
    for (const { lines, requests } of group) {
      await lines.flush();
      await requests.flush();
    }
    const guards = group.flatMap((one) => one.guards);
    const snapshot: JobSnapshot | undefined = first.snapshot && {
      ...first.snapshot,
      numbers: group.flatMap(({ numbers }) => numbers),
      amounts: group.flatMap(({ amounts }) => amounts),
      granted: group.flatMap(({ granted }) => granted),
      ...(guards.some((guard) => guard !== null) && { guards }),
    };
    const parts: Record<string, readonly FilePart[]> = {
      lines: group.flatMap(({ lines }) => lines.parts),
      requests: group.flatMap(({ requests }) => requests.parts),
    };
    if (snapshot) {
      const name = nameIn(batch, first.directory, 'snapshot');
      parts.snapshot = [await bytes.put(name, Buffer.from(JSON.stringify(snapshot)))];
    }
    const count = group.reduce((sum, one) => sum + one.count, 0);
    const { model, provider, region, priceFactor } = first.target;
    return {
      by: first.by,
      model,
      provider,
      region,
      lines: count,
      firstLine: first.firstLine,
      answered: 0,
      sending: 0,
      status: 'planned',
      parts,
      attempts: 0,
      polls: 0,
      nextAt: 0,
      counts: { ...noCounts, total: count },
      priceFactor,
    };
  }
};

/** Texts that a request has embedded; none where it is for something else. */
function inputsOf({ path, body }: LineRequest): number {
  if (!path.endsWith('/embeddings')) return 0;
  const { input } = typeof body === 'string' ? asObject(parseJson(body)) : body;
  return Array.isArray(input) ? input.length : 1;
}

/** A last job that is too small for its provider goes with the one before it: there is room, since the gateway's own limits are lower. */
function joined(jobs: readonly OpenJob[]): readonly (readonly OpenJob[])[] {
  const last = jobs.at(-1);
  const before = jobs.at(-2);
  if (!last || !before || last.count >= (last.limits.minLines ?? 1)) return jobs.map((job) => [job]);
  return [...jobs.slice(0, -2).map((job) => [job]), [before, last]];
}
