/** Catalog rows in the table, and the cached catalog that requests use. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createCatalog, createCatalogStore, type StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { createTable } from '../../local/database.ts';
import { textModel } from '../harness/text-model.ts';
import { brokenDatabase, type TestDatabase, useTestDatabase } from './database.ts';

const database = useTestDatabase();
let tables = 0;
let table: string;
let time: number;
const now = () => time;

beforeEach(async () => {
  tables += 1;
  table = `catalog-${tables}`;
  await createTable(database.call, table);
  database.actions.length = 0;
  time = Date.UTC(2026, 10, 20);
});

const rowOf = (id: string, output = 1000) =>
  textModel(
    id,
    { provider: 'acme', upstreamId: 'one' },
    {
      limits: { context: null, input: null, output },
      traits: { refuses: ['stop'] },
      price: { input: 0.15, output: 2.5, cachedInput: null },
    },
  );

function openCatalog() {
  const state = { down: false };
  const warnings: string[] = [];
  const call: TestDatabase['call'] = (action, input) =>
    (state.down ? brokenDatabase : database.call)(action, input);
  const store = createCatalogStore({ call, table });
  const catalog = createCatalog({ store, now, warn: (id) => warnings.push(id) });
  return { state, warnings, store, catalog };
}

const putRaw = (id: string, fields: object) =>
  database.call('DynamoDB_20120810.PutItem', {
    TableName: table,
    Item: { pk: { S: `model#${id}` }, ...fields },
  });

describe('catalog rows in the table', () => {
  test('the seed updates its own rows but never an operator’s', async () => {
    const { store, catalog } = openCatalog();
    expect(await store.put(rowOf('acme/one', 1), { source: 'seed' })).toBe('written');
    expect(await store.put(rowOf('acme/one', 2), { source: 'seed' })).toBe('written');
    expect(await store.put(rowOf('acme/one', 3), { source: 'operator' })).toBe('written');
    expect(await store.put(rowOf('acme/one', 4), { source: 'seed' })).toBe('kept');
    expect((await catalog.find('acme/one'))?.limits.output).toBe(3);
  });

  test('a row without a source counts as an operator’s', async () => {
    const { store } = openCatalog();
    await putRaw('acme/one', {});
    expect(await store.put(rowOf('acme/one'), { source: 'seed' })).toBe('kept');
  });

  test('a malformed row is not written', async () => {
    const { store } = openCatalog();
    await expect(store.put({ id: 'acme/one' }, { source: 'operator' })).rejects.toThrow(
      'deployments: not of type array',
    );
    expect(await store.list()).toStrictEqual([]);
  });

  test('a row survives a round trip', async () => {
    const { store } = openCatalog();
    await store.put(rowOf('acme/one'), { source: 'seed' });
    const { row, ...reported } = (await store.get('acme/one')) ?? {};
    expect(row).toStrictEqual(rowOf('acme/one'));
    expect(reported).toMatchObject({ id: 'acme/one', source: 'seed' });
    expect(await store.get('acme/two')).toBeUndefined();
  });

  test('a row is replaced only if it has not changed since it was read', async () => {
    const { store } = openCatalog();
    await store.put(rowOf('acme/one'), { source: 'seed' });
    const known = await store.get('acme/one');
    if (!known) throw new Error('no row');
    const other = { ...rowOf('acme/one'), created: '2026-02-02' };
    expect(await store.replace(known, other)).toBe(true);
    expect(await store.get('acme/one')).toMatchObject({ source: 'operator', row: other });
    expect(await store.replace(known, rowOf('acme/one'))).toBe(false);
    expect(await store.get('acme/one')).toMatchObject({ source: 'operator', row: other });
  });
});

describe('the cached catalog', () => {
  test('models are found by id and listed in order, across pages', async () => {
    const { store } = openCatalog();
    for (const id of ['acme/b', 'acme/c', 'acme/a']) await store.put(rowOf(id), { source: 'seed' });
    const onePerPage = createCatalogStore({
      call: (action, input) =>
        database.call(action, { ...input, ...(action.endsWith('Scan') && { Limit: 1 }) }),
      table,
    });
    const catalog = createCatalog({ store: onePerPage, now, warn: () => {} });
    expect((await catalog.list()).map(({ id }) => id)).toStrictEqual(['acme/a', 'acme/b', 'acme/c']);
    expect(await catalog.find('acme/c')).toMatchObject({ id: 'acme/c', owner: 'acme' });
    expect(await catalog.find('acme/d')).toBeUndefined();
  });

  test('a malformed row is omitted and reported, and the other rows are served', async () => {
    const { store, catalog, warnings } = openCatalog();
    await store.put(rowOf('acme/good'), { source: 'seed' });
    await putRaw('acme/broken', { row: { M: { id: { S: 'acme/broken' } } } });
    await putRaw('acme/empty', {});
    await store.put(rowOf('acme/other'), { source: 'operator' });
    expect((await catalog.list()).map(({ id }) => id)).toStrictEqual(['acme/good', 'acme/other']);
    expect(warnings).toStrictEqual(['acme/broken', 'acme/empty']);
    expect(await catalog.find('acme/broken')).toBeUndefined();
  });

  test('a row is read at most once a minute, and a change is visible after that', async () => {
    const { store, catalog } = openCatalog();
    await store.put(rowOf('acme/one', 1), { source: 'seed' });
    await catalog.find('acme/one');
    await store.put(rowOf('acme/one', 2), { source: 'operator' });
    time += 59_000;
    expect((await catalog.find('acme/one'))?.limits.output).toBe(1);
    time += 1_000;
    expect((await catalog.find('acme/one'))?.limits.output).toBe(2);
  });

  test('a malformed id causes no read', async () => {
    const { catalog } = openCatalog();
    for (const id of ['', 'gpt', 'a/b/c', 'acme/\u0000', `acme/${'x'.repeat(5_000)}`]) {
      expect(await catalog.find(id)).toBeUndefined();
    }
    expect(database.actions).toStrictEqual([]);
  });

  test('during a database outage, rows and the list are served for an hour', async () => {
    const { state, store, catalog } = openCatalog();
    await store.put(rowOf('acme/one'), { source: 'seed' });
    await catalog.find('acme/one');
    await catalog.list();
    state.down = true;
    time += 3_590_000;
    expect(await catalog.find('acme/one')).toBeDefined();
    expect(await catalog.list()).toHaveLength(1);
    time += 20_000;
    await expect(catalog.find('acme/one')).rejects.toMatchObject({ kind: 'internal' });
    await expect(catalog.list()).rejects.toMatchObject({ kind: 'internal' });
  });
});

test('while thousands of rows are read, other work of the process goes on', async () => {
  const rows = Array.from({ length: 10_000 }, (_, number): StoredRow => {
    const id = `acme/model-${number}`;
    return { id, source: 'operator', row: rowOf(id) };
  });
  const { names, get } = createCatalogStore({ call: database.call, table: 'catalog' });
  const catalog = createCatalog({
    store: { names, get, list: async () => rows },
    now: () => 0,
    warn: () => expect.unreachable(),
  });
  const reading = catalog.list();
  const found = { isThere: false, turns: 0 };
  void reading.then(() => {
    found.isThere = true;
  });
  for (; !found.isThere; found.turns += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await reading).toHaveLength(rows.length);
  expect(found.turns).toBeGreaterThan(3);
});
