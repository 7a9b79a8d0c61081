/** The commands for names of the operator's choice: set-alias, list-aliases and remove-alias. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { modelRow, parsed, useOperator } from './operator.ts';

const operator = useOperator();
const catalog = createCatalogStore(operator.at('catalog'));
beforeEach(async () => {
  for (const [id, more] of Object.entries(rows)) await catalog.put(modelRow(id, more), { source: 'seed' });
});

const embedding = {
  endpoints: ['embeddings'],
  modalities: { input: ['text'], output: ['embedding'] },
  traits: { embedding: { dimensions: { default: 8 } } },
};
const rows: Readonly<Record<string, object>> = {
  'acme/one': {},
  'acme/two': {},
  'acme/gone': { status: 'retired' },
  'acme/picture': { endpoints: ['images_generations'] },
  'acme/vectors': embedding,
  'acme/other-vectors': embedding,
};

test('an alias is set, listed, replaced and removed', async () => {
  expect((await operator.run('catalog set-alias fast acme/one=80,acme/two=20')).output).toEqual([
    'fast stands for acme/one=80,acme/two=20. It takes effect within a minute.',
  ]);
  await operator.run('catalog set-alias smart acme/two,acme/one=9@tools+images+input-above:200000');
  await operator.run('catalog set-alias fast acme/two');
  expect(parsed(await operator.run('catalog list-aliases --json'))).toEqual([
    { alias: 'fast', targets: 'acme/two=1' },
    { alias: 'smart', targets: 'acme/two=1,acme/one=9@tools+images+input-above:200000' },
  ]);
  expect((await operator.run('catalog remove-alias fast')).code).toBe(0);
  const again = await operator.run('catalog remove-alias fast');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No alias is named fast')]);
  const { aliases } = await catalog.names.get('operator');
  expect([...aliases.keys()]).toEqual(['smart']);
});

test.each([
  ['a/b acme/one', 'no slash'],
  ['fast acme/none', 'Model not found: acme/none'],
  ['fast acme/gone', 'acme/gone is retired'],
  ['fast acme/one=0', 'a weight from 1 to 9999'],
  ['fast acme/one=x', 'a weight from 1 to 9999'],
  ['fast acme/one@sometimes', "not 'sometimes'"],
  ['fast acme/one@tools', 'must have no condition'],
  ['fast acme/one,acme/picture', 'share no operation'],
  ['fast acme/vectors,acme/other-vectors', 'cannot be compared'],
  [`fast ${Array(11).fill('acme/one').join(',')}`, 'at most 10 targets'],
  ['fast', 'Missing required argument: <targets>'],
])('"catalog set-alias %s" is refused, and nothing is written', async (typed, explanation) => {
  const { code, stderr } = await operator.run(`catalog set-alias ${typed}`);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(explanation);
  expect((await catalog.names.get('operator')).aliases.size).toBe(0);
});

test('catalog add says that a name is no longer that of one model', async () => {
  const add = async (id: string) => {
    const path = join(operator.directory, 'models.json');
    await writeFile(path, JSON.stringify([modelRow(id)]));
    const { code, stderr } = await operator.run(`catalog add ${path}`);
    expect(code, stderr).toBe(0);
    return stderr;
  };
  expect(await add('first/model')).not.toContain('Several models');
  expect(await add('second/model')).toContain('Several models are named model now');
  await operator.run('catalog set-alias model first/model');
  expect(await add('second/model')).not.toContain('Several models');
});

test('catalog sync adds the names of rows that were written before there were names', async () => {
  await operator.at('catalog').call('DynamoDB_20120810.PutItem', {
    TableName: 'catalog',
    Item: {
      pk: { S: 'model#acme/old' },
      source: { S: 'operator' },
      row: {
        M: {
          id: { S: 'acme/old' },
          created: { S: '2026-01-01' },
          status: { S: 'active' },
          endpoints: { L: [] },
          modalities: { M: { input: { L: [] }, output: { L: [] } } },
          limits: { M: { context: { NULL: true }, input: { NULL: true }, output: { NULL: true } } },
          traits: { M: {} },
          price: { M: { input: { N: '1' }, output: { N: '1' } } },
          deployments: {
            L: [{ M: { provider: { S: 'openai' }, region: { S: 'global' }, upstreamId: { S: 'one' } } }],
          },
        },
      },
    },
  });
  expect((await operator.run('catalog sync')).code).toBe(0);
  expect((await catalog.names.get('operator')).models.get('old')).toEqual(['acme/old']);
  expect((await catalog.names.get('seed')).models.get('gpt-5.5')).toEqual(['openai/gpt-5.5']);
});
