/** Changes of keys and tenants on condition that they are still as they were seen, and their lists. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxEditTries } from '../../lib/stores/access/edit-item.ts';
import { createKeyEdits } from '../../lib/stores/access/key-edits.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createTenantEdits } from '../../lib/stores/access/tenant-edits.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { emptyTable, startTestDatabase, type TestDatabase } from './database.ts';

const now = Date.UTC(2026, 10, 23);
let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase(['access']);
});

afterAll(() => database.close());

beforeEach(() => emptyTable(database.call, 'access'));

const options = () => ({ call: database.call, table: 'access', now: () => now });
const keys = () => createKeyStore(options());
const keyEdits = () => createKeyEdits(options());
const tenants = () => createTenantStore(options());
const tenantEdits = () => createTenantEdits(options());

describe('a key', () => {
  test('is changed, and it is known what it was before', async () => {
    const made = await keys().create({ tenant: 'acme', name: 'laptop', limits: { dailyBudget: 5 } });
    const edited = await keyEdits().edit(made.id, () => ({
      name: null,
      owner: 'ann',
      expiresAt: 2_000_000_000,
      limits: { dailyBudget: null, credit: 7 },
      models: ['openai/*'],
    }));
    const { secret: _, isTenantNew: __, ...before } = made;
    const { name: ___, ...others } = before;
    const after = {
      ...others,
      owner: 'ann',
      expiresAt: 2_000_000_000,
      limits: { credit: 7 },
      models: ['openai/*'],
    };
    expect(edited).toEqual({ before, after });
    expect(await keyEdits().find(made.id)).toEqual(after);
  });

  test('that others change meanwhile is decided on again', async () => {
    const { id } = await keys().create({ tenant: 'acme', limits: { dailyBudget: 5 } });
    const seen: (number | undefined)[] = [];
    let others = 1;
    const edited = await keyEdits().edit(id, ({ limits }) => {
      seen.push(limits?.dailyBudget);
      return { limits: { dailyBudget: (limits?.dailyBudget ?? 0) + 1 } };
    });
    expect(edited?.after.limits).toEqual({ dailyBudget: 6 });
    const racing = createKeyEdits({
      ...options(),
      call: async (action, input, given) => {
        if (action.endsWith('UpdateItem') && others > 0) {
          others -= 1;
          await keys().change(id, { limits: { dailyBudget: 100 } });
        }
        return await database.call(action, input, given);
      },
    });
    await racing.edit(id, ({ limits }) => {
      seen.push(limits?.dailyBudget);
      return { limits: { dailyBudget: (limits?.dailyBudget ?? 0) + 1 } };
    });
    expect(seen).toEqual([5, 6, 100]);
    expect((await keyEdits().find(id))?.limits).toEqual({ dailyBudget: 101 });
  });

  test('whose list of models others change meanwhile is decided on again', async () => {
    const { id } = await keys().create({ tenant: 'acme', models: ['openai/*'] });
    let others = 1;
    const racing = createKeyEdits({
      ...options(),
      call: async (action, input, given) => {
        if (action.endsWith('UpdateItem') && others > 0) {
          others -= 1;
          await keyEdits().edit(id, ({ models = [] }) => ({ models: [...models, 'xai/*'] }));
        }
        return await database.call(action, input, given);
      },
    });
    await racing.edit(id, ({ models = [] }) => ({ models: [...models, 'mistral/*'] }));
    expect((await keyEdits().find(id))?.models).toEqual(['openai/*', 'xai/*', 'mistral/*']);
  });

  test('that others change all the time is a conflict, after few tries', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    let writes = 0;
    const racing = createKeyEdits({
      ...options(),
      call: async (action, input, given) => {
        if (action.endsWith('UpdateItem')) {
          writes += 1;
          await keys().change(id, { limits: { dailyBudget: writes } });
        }
        return await database.call(action, input, given);
      },
    });
    const edit = racing.edit(id, () => ({ limits: { dailyBudget: 1_000 } }));
    await expect(edit).rejects.toMatchObject({ kind: 'conflict' });
    expect(writes).toBe(maxEditTries);
  });

  test('whose other fields change meanwhile is no conflict', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    let tries = 0;
    await keyEdits().edit(id, () => {
      tries += 1;
      return { name: 'one' };
    });
    const racing = createKeyEdits({
      ...options(),
      call: async (action, input, given) => {
        if (action.endsWith('UpdateItem')) await keys().change(id, { limits: { credit: 1 } });
        return await database.call(action, input, given);
      },
    });
    await racing.edit(id, () => {
      tries += 1;
      return { name: 'two' };
    });
    expect(tries).toBe(2);
    expect(await keyEdits().find(id)).toMatchObject({ name: 'two', limits: { credit: 1 } });
  });

  test('is not changed where the decision is to refuse, and nothing is written where nothing differs', async () => {
    const { id } = await keys().create({ tenant: 'acme', name: 'laptop' });
    const refuse = keyEdits().edit(id, () => {
      throw new Error('refused');
    });
    await expect(refuse).rejects.toThrow('refused');
    database.actions.length = 0;
    await keyEdits().edit(id, () => ({ name: 'laptop', owner: null }));
    expect(database.actions).not.toContain('UpdateItem');
    expect(await keyEdits().edit('key_000000000000', () => ({ name: 'x' }))).toBeUndefined();
    expect(await keyEdits().edit('key_', () => ({ name: 'x' }))).toBeUndefined();
  });

  test('is disabled once', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    const disabled = await keyEdits().disable(id, () => {});
    expect(disabled?.before.disabledAt).toBeUndefined();
    expect(disabled?.after.disabledAt).toBe(now / 1000);
    const again = await keyEdits().disable(id, () => {});
    expect(again?.before).toEqual(again?.after);
    expect(await keyEdits().disable('key_000000000000', () => {})).toBeUndefined();
  });
});

test('keys are listed by tenant and owner, newest first, and keep their owner when they are rotated', async () => {
  const first = await keys().create({ tenant: 'acme', owner: 'ann' });
  await keys().create({ tenant: 'umbrella', owner: 'ann' });
  const later = createKeyEdits({ ...options(), now: () => now + 5_000 });
  const rotated = await later.rotate(first.id, 60);
  const ids = async (filter: object) => (await keyEdits().list(filter)).map(({ id }) => id);
  expect(await ids({ tenant: 'acme' })).toEqual([rotated?.made.id, first.id]);
  expect(await ids({ tenant: 'acme', owner: 'ann' })).toEqual([rotated?.made.id, first.id]);
  expect(await ids({ owner: 'bob' })).toEqual([]);
  expect(await ids({})).toHaveLength(3);
});

describe('the rotation of a key', () => {
  /** Others do something just before the first change. */
  const editsAfter = (others: () => Promise<unknown>) => {
    let isFirst = true;
    return createKeyEdits({
      ...options(),
      async call(action, input, given) {
        if (action.endsWith('UpdateItem') && isFirst) {
          isFirst = false;
          await others();
        }
        return await database.call(action, input, given);
      },
    });
  };
  const atOnce = (id: string, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => keyEdits().rotate(id, 60)));

  test('of ten at once, one makes a key: the others learn its id', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    const answers = await atOnce(id, 10);
    const made = answers.flatMap((one) =>
      one.status === 'fulfilled' && one.value ? [one.value.made.id] : [],
    );
    expect(made).toHaveLength(1);
    const all = (await keyEdits().list({})).map((key) => key.id).toSorted();
    expect(all).toEqual([id, ...made].toSorted());
    await expect(keyEdits().rotate(id, 60)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(made[0] ?? ''),
    });
    expect(await keyEdits().rotate(made[0] ?? '', 60)).toMatchObject({ made: { family: id } });
  });

  test('is of the state that was read: a change in between is in the new key', async () => {
    const { id } = await keys().create({ tenant: 'acme', models: ['openai/*'] });
    const racing = editsAfter(() => keyEdits().edit(id, () => ({ models: ['xai/*'] })));
    const rotated = await racing.rotate(id, 60);
    expect(rotated?.made.models).toEqual(['xai/*']);
  });

  test('that may not be is taken back, and the key is as it was', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    const before = await keyEdits().find(id);
    const refuse = () => {
      throw new Error('Too many.');
    };
    await expect(keyEdits().rotate(id, 60, undefined, () => refuse)).rejects.toThrow('Too many.');
    await expect(keyEdits().create({ tenant: 'acme' }, refuse)).rejects.toThrow('Too many.');
    expect(await keyEdits().list({})).toEqual([before]);
    expect(await keyEdits().rotate(id, 60)).toBeDefined();
  });

  test('and its end at the same moment: no new key works if the end came first', async () => {
    const { id } = await keys().create({ tenant: 'acme' });
    const racing = editsAfter(() => keyEdits().disable(id, () => {}));
    await expect(racing.rotate(id, 60)).rejects.toMatchObject({ kind: 'invalid_request' });
    expect(await keyEdits().list({})).toMatchObject([{ id, disabledAt: now / 1000 }]);
  });
});

describe('a tenant', () => {
  test('is changed at once in many terms, suspended, and activated again', async () => {
    await tenants().create('acme', { limits: { dailyBudget: 5 } });
    const edited = await tenantEdits().edit('acme', () => ({
      limits: { dailyBudget: null, monthlyBudget: 9 },
      userLimits: { requestsPerMinute: 3 },
      alerts: [50],
      throughput: 700,
      suspended: true,
    }));
    expect(edited?.before).toEqual({ name: 'acme', createdAt: now / 1000, limits: { dailyBudget: 5 } });
    const changed = {
      name: 'acme',
      createdAt: now / 1000,
      limits: { monthlyBudget: 9 },
      userLimits: { requestsPerMinute: 3 },
      alerts: [50],
      throughput: 700,
    };
    expect(edited?.after).toEqual({ ...changed, suspendedAt: now / 1000 });
    await tenantEdits().edit('acme', () => ({ suspended: false }));
    expect(await tenantEdits().find('acme')).toEqual(changed);
    expect(await tenantEdits().edit('nobody', () => ({ suspended: true }))).toBeUndefined();
  });

  test('whose credit is set loses no grant that is given meanwhile', async () => {
    await tenants().create('acme');
    const grant = { id: 'one', amount: 3, at: now / 1000, priority: 100, by: 'ann' };
    await tenantEdits().addCredit('acme', grant);
    const seen: (number | undefined)[] = [];
    let others = 1;
    const racing = createTenantEdits({
      ...options(),
      call: async (action, input, given) => {
        if (action.endsWith('UpdateItem') && others > 0) {
          others -= 1;
          await tenantEdits().addCredit('acme', { ...grant, id: 'two' });
        }
        return await database.call(action, input, given);
      },
    });
    // The same amount as before: still a change, because the grants are removed.
    await racing.edit('acme', ({ limits }) => {
      seen.push(limits?.credit);
      return { limits: { credit: 3 } };
    });
    expect(seen).toEqual([3, 6]);
  });

  test('is listed by name', async () => {
    for (const name of ['umbrella', 'acme']) await tenants().create(name);
    expect((await tenantEdits().list()).map(({ name }) => name)).toEqual(['acme', 'umbrella']);
  });
});
