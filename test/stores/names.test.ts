/** The names of models in the catalog's table: those that ship with the gateway, those of the operator's models, and aliases. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { createCatalog, createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { createNameStore } from '../../lib/stores/catalog/names.ts';
import { createTable } from '../../local/database.ts';
import { textModel } from '../harness/text-model.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase();
let tables = 0;
let table: string;

beforeEach(async () => {
  tables += 1;
  table = `names-${tables}`;
  await createTable(database.call, table);
});

const open = (call: AwsCall = database.call) => createNameStore({ call, table });

const openCatalog = () =>
  createCatalog({ store: createCatalogStore({ call: database.call, table }), now: () => 0, warn: () => {} });

const putOperator = (fields: object) =>
  database.call('DynamoDB_20120810.PutItem', {
    TableName: table,
    Item: { pk: { S: 'names#operator' }, version: { N: '1' }, ...fields },
  });

const target = (model: string) => ({ model, weight: 1 });

describe('models', () => {
  test('are found by the id without its owner and by each alias, and several may share a name', async () => {
    await open().putSeed([{ id: 'one/fast', aliases: ['fast-2026'] }, { id: 'two/fast' }]);
    await open().add([{ id: 'acme/fast' }]);
    const catalog = openCatalog();
    expect(await catalog.named('fast')).toStrictEqual({ models: ['acme/fast', 'one/fast', 'two/fast'] });
    expect(await catalog.named('fast-2026')).toStrictEqual({ models: ['one/fast'] });
    expect(await catalog.named('slow')).toStrictEqual({ models: [] });
  });

  test('that ship with the gateway are replaced as a whole, and those of the operator are kept', async () => {
    const names = open();
    await names.putSeed([{ id: 'one/fast' }]);
    await names.add([{ id: 'acme/own', aliases: ['ours'] }]);
    await names.add([{ id: 'acme/other' }]);
    await names.putSeed([{ id: 'one/new' }]);
    expect([...(await names.get('seed')).models]).toStrictEqual([['new', ['one/new']]]);
    expect([...(await names.get('operator')).models]).toStrictEqual([
      ['own', ['acme/own']],
      ['ours', ['acme/own']],
      ['other', ['acme/other']],
    ]);
  });

  test('whose names are known cause no write, and one further name does', async () => {
    const names = open();
    await names.add([{ id: 'acme/own' }]);
    database.actions.length = 0;
    await names.add([{ id: 'acme/own' }]);
    expect(database.actions).toStrictEqual(['GetItem']);
    await names.add([{ id: 'acme/own', aliases: ['ours'] }]);
    await names.add([{ id: 'other/own' }]);
    const { models } = await names.get('operator');
    expect([models.get('ours'), models.get('own')]).toStrictEqual([['acme/own'], ['acme/own', 'other/own']]);
  });

  test('of a row that an operator writes get their names, and those of a row of the seed do not', async () => {
    const store = createCatalogStore({ call: database.call, table });
    const rowOf = (id: string) => textModel(id, { provider: 'acme', upstreamId: 'one' });
    await store.put(rowOf('acme/seeded'), { source: 'seed' });
    await store.put(rowOf('acme/own'), { source: 'operator' });
    const known = await store.get('acme/seeded');
    if (known) await store.replace(known, { ...rowOf('acme/seeded'), aliases: ['replaced'] });
    expect([...(await store.names.get('operator')).models.keys()]).toStrictEqual([
      'own',
      'seeded',
      'replaced',
    ]);
  });
});

describe('an alias', () => {
  test('is set, replaced and removed, each time with what it was before', async () => {
    const names = open();
    expect(await names.setAlias('fast', [target('one/a')])).toBeUndefined();
    expect(await names.setAlias('smart', [target('one/b')])).toBeUndefined();
    expect(await names.setAlias('fast', [target('two/a')])).toStrictEqual([target('one/a')]);
    expect([...(await names.get('operator')).aliases]).toStrictEqual([
      ['smart', [target('one/b')]],
      ['fast', [target('two/a')]],
    ]);
    expect(await names.setAlias('fast', undefined)).toStrictEqual([target('two/a')]);
    expect([...(await openCatalog().aliases()).keys()]).toStrictEqual(['smart']);
  });

  test('that is removed and was not there causes no write', async () => {
    database.actions.length = 0;
    expect(await open().setAlias('fast', undefined)).toBeUndefined();
    expect(database.actions).toStrictEqual(['GetItem']);
  });

  test('comes beside the models of the same name', async () => {
    await open().add([{ id: 'acme/fast' }]);
    await open().setAlias('fast', [target('one/a')]);
    const catalog = openCatalog();
    expect(await catalog.named('fast')).toStrictEqual({ models: ['acme/fast'], alias: [target('one/a')] });
    expect(await catalog.named('not a name')).toStrictEqual({ models: [] });
  });

  test('has only targets that this version knows', async () => {
    const known = { tools: true, images: true, inputTokensAbove: 5 } as const;
    await putOperator({
      aliases: {
        M: {
          fast: {
            L: [
              { M: { model: { S: 'one/a' }, weight: { N: '2' } } },
              { M: { model: { S: 'one/b' }, weight: { N: '1' }, when: { M: { later: { BOOL: true } } } } },
              { M: { model: { S: 'one/c' }, weight: { N: '0' } } },
              { M: { model: { N: '1' }, weight: { N: '1' } } },
              { M: { model: { S: 'one/d' }, weight: { S: '1' } } },
              { M: { model: { S: 'one/e' }, weight: { N: '1' }, when: { S: 'tools' } } },
              { S: 'one/f' },
            ],
          },
          none: { S: 'one/a' },
        },
      },
      models: { M: { own: { L: [{ S: 'acme/own' }, { N: '1' }] } } },
    });
    const { aliases, models } = await open().get('operator');
    expect([...aliases]).toStrictEqual([
      ['fast', [{ model: 'one/a', weight: 2 }]],
      ['none', []],
    ]);
    expect([...models]).toStrictEqual([['own', ['acme/own']]]);
    await open().setAlias('fast', [{ model: 'one/a', weight: 1, when: known }]);
    expect((await open().get('operator')).aliases.get('fast')).toStrictEqual([
      { model: 'one/a', weight: 1, when: known },
    ]);
  });
});

describe('changes', () => {
  test('of several processes and at the same time are all kept', async () => {
    const stores = [open(), open()];
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name, index) => stores[index % 2]?.setAlias(name, [target(`one/${name}`)])),
    );
    expect([...(await open().get('operator')).aliases.keys()].toSorted()).toStrictEqual(['a', 'b', 'c', 'd']);
  });

  test('that another process is always faster with are given up, and later ones go on', async () => {
    const other = open();
    let isBusy = true;
    let writes = 0;
    const names = open(async (action, ...rest) => {
      if (isBusy && action.endsWith('PutItem')) {
        writes += 1;
        await other.setAlias('other', [target(`one/${writes}`)]);
      }
      return await database.call(action, ...rest);
    });
    await expect(names.setAlias('fast', [target('one/a')])).rejects.toThrow('changed by another process');
    expect(writes).toBe(5);
    isBusy = false;
    await names.setAlias('fast', [target('one/a')]);
    expect([...(await names.get('operator')).aliases.keys()]).toStrictEqual(['other', 'fast']);
  });

  test('of a fault are reported', async () => {
    const broken = open(() => Promise.reject(new Error('fault')));
    await expect(broken.setAlias('fast', [target('one/a')])).rejects.toThrow('fault');
  });
});

describe('the item of an operator', () => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

  test('holds at most 3,000 names of models', async () => {
    const names = open();
    await names.add([{ id: 'acme/own', aliases: many(2_999, 'name') }]);
    await expect(names.add([{ id: 'acme/other' }])).rejects.toThrow('at most 3000 names');
  });

  test('holds at most 300 aliases', async () => {
    const list = { L: [{ M: { model: { S: 'one/a' }, weight: { N: '1' } } }] };
    await putOperator({ aliases: { M: Object.fromEntries(many(299, 'name').map((name) => [name, list])) } });
    await open().setAlias('last', [target('one/a')]);
    await expect(open().setAlias('further', [target('one/a')])).rejects.toThrow('at most 300 aliases');
  });
});
