/**
 * Batches, in the table `files`: an item for each by its tenant and its id, one for each of its jobs (`<tenant>#<id>`, `job#<n>`), and
 * one that lists it among those that have not ended (`#open`, `<tenant>#<id>`). Which batch a request has created is kept for ten minutes, by
 * the tenant and a hash of the request (`created#<hash>`).
 */
import {
  type Batch,
  type BatchJob,
  type BatchListing,
  type BatchRef,
  type BatchStore,
  batchPrefixes,
  endedStatuses,
  type NewBatch,
} from '../../core/batches.ts';
import { type ListPage, maxFileSeconds } from '../../core/files.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { isIdOf } from '../../core/names/new-id.ts';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import {
  type Condition,
  isAbsent,
  openTable,
  type StoredItem,
  type TableOptions,
} from '../dynamodb/table.ts';
import { toItemUpdate } from '../dynamodb/update-expression.ts';

interface BatchStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

/** No tenant has this name, which would have its files and batches there, too. */
const openPartition = '#open';

/** An entry whose batch was never written, or has ended, is of no use for long. */
const openDays = 4;

/** For so long a request to create a batch may be sent again. */
const againSeconds = 600;

const isAbsentOrExpired = (seconds: number): Condition => ({
  expression: `${isAbsent.expression} OR #expires < :now`,
  names: { ...isAbsent.names, '#expires': expiryAttribute },
  values: { ':now': seconds },
});

const noCounts = { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 };

export function createBatchStore({ now, ...options }: BatchStoreOptions): BatchStore {
  const table = openTable(options);
  const close = (ref: BatchRef) => table.remove([openPartition, openKey(ref)]);
  const read = (item: StoredItem | undefined) => {
    const batch = item && readBatch(item);
    // DynamoDB deletes expired items late.
    return batch && expiryOf(batch) * 1_000 > now() ? batch : undefined;
  };
  return {
    async create(made) {
      const batch = begun(made);
      const expiry = Math.floor(now() / 1_000) + openDays * 86_400;
      // An entry without a batch does no harm: a batch without an entry might be left alone.
      await table.put([openPartition, openKey(batch)], { [expiryAttribute]: expiry });
      return await table.put([batch.tenant, batch.id], toItem(batch), isAbsent);
    },
    async noteCreation({ tenant, request, id, isAgain }) {
      const key = [tenant, `created#${request}`] as const;
      const seconds = Math.floor(now() / 1_000);
      const isFirst = await table.put(
        key,
        { batch: id, [expiryAttribute]: seconds + againSeconds },
        isAgain ? isAbsentOrExpired(seconds) : undefined,
      );
      if (isFirst) return id;
      const { batch } = (await table.get(key, { consistent: true })) ?? {};
      return typeof batch === 'string' ? batch : id;
    },
    async find(tenant, id) {
      if (!isBatchId(id)) return undefined;
      return read(await table.get([tenant, id], { consistent: true }));
    },
    async list(tenant, contract, listing) {
      const prefix = batchPrefixes[contract];
      const { after, before } = listing;
      if ([after, before].some((id) => id !== undefined && !isIdOf(prefix, id)))
        return { items: [], hasMore: false };
      const { from, to, newestFirst } = rangeOf(listing, prefix);
      // Both ends are included, and one more says whether there are others.
      const limit = listing.limit + 2;
      const items = await table.query(tenant, { from, to, limit, newestFirst });
      const found = items
        .flatMap((item) => read(item) ?? [])
        .filter(({ id }) => id !== after && id !== before);
      const page = found.slice(0, listing.limit);
      const hasMore = found.length > page.length;
      return { items: newestFirst ? page : page.toReversed(), hasMore } satisfies ListPage<Batch>;
    },
    async change(batch, changes) {
      const next = { ...batch, ...changes, version: batch.version + 1 };
      const { version, text, [expiryAttribute]: expiry } = toItem(next);
      const item = await table.update(
        [batch.tenant, batch.id],
        toItemUpdate({
          set: [
            [['version'], version],
            [['text'], text],
            [[expiryAttribute], expiry],
          ],
          where: [{ path: ['version'], is: '=', value: batch.version }],
        }),
      );
      if (!item) return undefined;
      if (endedStatuses.includes(next.status)) await close(next);
      return next;
    },
    async delete(batch) {
      if (!endedStatuses.includes(batch.status)) return false;
      const removed = await table.remove([batch.tenant, batch.id]);
      const jobs = await table.query(jobPartition(batch), jobRange);
      for (const job of jobs) await table.remove([jobPartition(batch), String(job[sortKey])]);
      return removed !== undefined;
    },
    async jobs(batch) {
      const items = await table.query(jobPartition(batch), jobRange);
      return items.map(({ text }) => parseJson(String(text)) as BatchJob);
    },
    async putJob(batch, job) {
      const expiry = Math.floor(now() / 1_000) + maxFileSeconds;
      const { version } = batch;
      const item = { version, text: JSON.stringify(job), [expiryAttribute]: expiry };
      const key = [jobPartition(batch), `job#${String(job.n).padStart(6, '0')}`] as const;
      return await table.put(key, item, {
        expression: 'attribute_not_exists(#version) OR #version <= :version',
        names: { '#version': 'version' },
        values: { ':version': version },
      });
    },
    async open(tenant) {
      const [from, to] = tenant === undefined ? [' ', '~'] : [`${tenant}#`, `${tenant}#~`];
      const items = await table.query(openPartition, { from, to });
      return items.flatMap(({ [sortKey]: key }) => readOpenKey(String(key)) ?? []);
    },
  };
}

const begun = (batch: NewBatch): Batch => ({
  ...batch,
  status: 'validating',
  times: { validating: batch.createdAt },
  counts: noCounts,
  plan: [],
  jobs: 0,
  nextAt: batch.createdAt * 1_000,
  version: 0,
});

const jobRange = { from: 'job#', to: 'job#~' };

const jobPartition = ({ tenant, id }: BatchRef): string => `${tenant}#${id}`;

const openKey = ({ tenant, id }: BatchRef): string => `${tenant}#${id}`;

/** Ids have no `#`. */
function readOpenKey(key: string): BatchRef | undefined {
  const end = key.lastIndexOf('#');
  return end < 0 ? undefined : { tenant: key.slice(0, end), id: key.slice(end + 1) };
}

const isBatchId = (id: string): boolean => Object.values(batchPrefixes).some((prefix) => isIdOf(prefix, id));

/** A batch is found as long as its answers may be kept. */
const expiryOf = ({ createdAt, expiresAt, outputSeconds }: NewBatch): number =>
  Math.max(createdAt + maxFileSeconds, expiresAt + outputSeconds);

/** JSON: the names in it are those of callers. */
const toItem = (batch: Batch) => ({
  version: batch.version,
  text: JSON.stringify(batch),
  [expiryAttribute]: expiryOf(batch),
});

/** Undefined for what is no batch. */
function readBatch({ text }: StoredItem): Batch | undefined {
  const batch = typeof text === 'string' ? parseJson(text) : undefined;
  return isJsonObject(batch) ? (batch as unknown as Batch) : undefined;
}

function rangeOf({ after, before }: BatchListing, prefix: string) {
  const all = { from: prefix, to: `${prefix}~` };
  if (before !== undefined) return { ...all, from: before, newestFirst: false };
  return { ...all, ...(after !== undefined && { to: after }), newestFirst: true };
}
