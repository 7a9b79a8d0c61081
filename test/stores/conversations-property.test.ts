/**
 * Conversations that branch, are deleted, expire and are cut off by crashes: what is found is always whole, and what no response
 * has any more can no longer be read from the table. Compared with a model that keeps every response whole.
 */
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { type ResponseStore, readInput } from '../../lib/core/stored-response.ts';
import { createResponseStore } from '../../lib/stores/responses/responses.ts';
import { useTestDatabase } from './database.ts';

const day = 24 * 3_600_000;
const lifetimeMs = 30 * day;

const database = useTestDatabase('state');
let runs = 0;

/** Small, so that a turn or two fill a part of several pieces. */
const sizes = { headInput: 400, headResponse: 400, piece: 150 };

type Step =
  | {
      readonly type: 'turn';
      readonly from: number;
      readonly texts: readonly number[];
      readonly answer: number;
    }
  | { readonly type: 'delete'; readonly which: number }
  /** A follow-up and a deletion of the response that it follows, at the same time. */
  | { readonly type: 'race'; readonly from: number; readonly texts: readonly number[] }
  | { readonly type: 'time'; readonly days: number };

/** `crashAt`: the write at which the process ends; `isApplied`: whether the database still got it. */
interface Planned {
  readonly step: Step;
  readonly crashAt: number | undefined;
  readonly isApplied: boolean;
}

const size = fc.integer({ min: 1, max: 500 });
const texts = fc.array(size, { minLength: 1, maxLength: 3 });
const which = fc.nat({ max: 20 });
const planned: fc.Arbitrary<Planned> = fc.record({
  step: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ type: fc.constant('turn' as const), from: which, texts, answer: size }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), which }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('race' as const), from: which, texts }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('time' as const), days: fc.integer({ min: 1, max: 20 }) }),
    },
  ),
  crashAt: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 4, nil: undefined }),
  isApplied: fc.boolean(),
});

interface Kept {
  readonly input: readonly JsonObject[];
  readonly response: JsonObject;
  readonly expiresAt: number;
}

test('every response is found whole or not at all, and the text of none outlives it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { minLength: 3, maxLength: 14 }), async (plan) => {
      const world = createWorld();
      for (const one of plan) await world.run(one);
      await world.check();
    }),
    { numRuns: 25 },
  );
}, 120_000);

function createWorld() {
  runs += 1;
  const tenant = `tenant-${runs}`;
  let time = Date.UTC(2026, 0, 1);
  let ids = 0;
  const model = new Map<string, Kept>();
  /** By text: which responses have it. */
  const owners = new Map<string, Set<string>>();
  const open = (call: AwsCall): ResponseStore =>
    createResponseStore({ call, table: 'state', now: () => time, sizes });
  const store = open(database.call);

  const read = async (id: string) => {
    const found = await store.find(tenant, id);
    const input = found && (await readInput(found));
    const response = await found?.readResponse();
    return found && { input, response };
  };

  /** The live response that a number stands for. */
  const pick = (number: number): string | undefined => {
    const alive = [...model.keys()];
    return alive[number % (alive.length + 1)];
  };

  const messagesOf = (id: string, lengths: readonly number[]) =>
    lengths.map((length, index) => textItem(`${id}i${index}`, length));

  const turn = async (
    calls: AwsCall,
    from: string | undefined,
    lengths: readonly number[],
    answer: number,
  ) => {
    ids += 1;
    const id = `resp_${runs}x${ids}`;
    const previous = from === undefined ? undefined : await store.find(tenant, from);
    const before = previous && (await readInput(previous));
    const answered = await previous?.readResponse();
    const own = [...(answered ? [answered] : []), ...messagesOf(id, lengths)];
    const response = textItem(`${id}o`, answer);
    const kept = { input: [...(before ?? []), ...own], response, expiresAt: time + lifetimeMs };
    for (const { text } of [...kept.input, response]) {
      const having = owners.get(String(text)) ?? new Set();
      owners.set(String(text), having.add(id));
    }
    const input = [...(previous?.input ?? []), ...own];
    const isStored = await open(calls)
      .put(tenant, id, { response, input, shared: previous?.shared ?? [] })
      .then(
        () => true,
        () => false,
      );
    const found = await read(id);
    // A response whose writing was cut off may be there, and is whole then.
    expect(isStored && found === undefined).toBe(false);
    if (found) model.set(id, kept);
  };

  const remove = async (calls: AwsCall, id: string) => {
    const isDeleted = await open(calls)
      .delete(tenant, id)
      .catch(() => undefined);
    if (isDeleted === undefined && (await read(id))) return;
    model.delete(id);
  };

  const step = async (one: Step, calls: AwsCall) => {
    if (one.type === 'turn') await turn(calls, pick(one.from), one.texts, one.answer);
    if (one.type === 'delete') {
      const id = pick(one.which);
      if (id !== undefined) await remove(calls, id);
    }
    if (one.type === 'race') {
      const id = pick(one.from);
      if (id !== undefined) await Promise.all([turn(calls, id, one.texts, 50), remove(calls, id)]);
    }
    if (one.type === 'time') {
      time += one.days * day;
      for (const [id, { expiresAt }] of model) if (expiresAt <= time) model.delete(id);
      await removeExpired(tenant, time);
    }
  };

  return {
    run: ({ step: one, crashAt, isApplied }: Planned) =>
      step(one, crashAt === undefined ? database.call : crashing(crashAt, isApplied)),
    async check() {
      for (const [id, { input, response }] of model) {
        expect(await read(id)).toEqual({ input, response });
        expect(await store.find('another', id)).toBeUndefined();
      }
      const left = await readableTexts(tenant);
      for (const [text, having] of owners) {
        const isKept = [...having].some((id) => model.has(id));
        if (!isKept) expect(left).not.toContain(text);
      }
    },
  };
}

const textItem = (mark: string, length: number) => ({
  id: mark,
  text: `<${mark}>${'lorem '.repeat(length / 6)}`,
});

/** The database until a write, with which the process ends. */
function crashing(at: number, isApplied: boolean): AwsCall {
  let writes = 0;
  return async (action, ...rest) => {
    if (/GetItem$/.test(action)) return database.call(action, ...rest);
    writes += 1;
    if (writes === at && isApplied) await database.call(action, ...rest);
    if (writes >= at) throw new Error('The process has ended.');
    return database.call(action, ...rest);
  };
}

async function itemsOf(tenant: string) {
  const { Items } = await database.call('DynamoDB_20120810.Scan', { TableName: 'state' });
  const items = Items as Record<string, Record<string, string>>[];
  return items.filter(({ pk }) => pk?.S?.startsWith(`response#${tenant}#`));
}

/** What DynamoDB does with what has expired. */
async function removeExpired(tenant: string, time: number): Promise<void> {
  for (const { pk, expires_at: expires } of await itemsOf(tenant)) {
    if (Number(expires?.N) * 1000 > time) continue;
    await database.call('DynamoDB_20120810.DeleteItem', { TableName: 'state', Key: { pk } });
  }
}

/** All that can be read from the table without the key of a part, as one text. */
async function readableTexts(tenant: string): Promise<string> {
  const items = await itemsOf(tenant);
  return items.map(({ data }) => uncompressed(Buffer.from(data?.B ?? '', 'base64'))).join('\n');
}

function uncompressed(data: Buffer): string {
  try {
    return brotliDecompressSync(data).toString();
  } catch {
    return data.toString('latin1');
  }
}
