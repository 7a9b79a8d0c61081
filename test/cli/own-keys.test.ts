/** The commands of keys that are tenants' own. */
import { expect, test } from 'vitest';
import { type Given, useOperator } from './operator.ts';

const operator = useOperator();
const run = (typed: string, given?: Given) => operator.run(typed, given);
const json = async (typed: string) => JSON.parse((await run(`${typed} --json`)).output.join('\n'));

test('a key is added from standard input, moved, disabled and deleted, and is never shown', async () => {
  await run('tenants create acme');
  const secret = 'a-token-of-the-tenant-0123';
  // A provider without a call for a test: nothing is sent.
  const add = (input: string) =>
    run('own-keys add acme google-vertex --set project=a-project --json', { input });
  const added = await add(secret);
  expect(added).toMatchObject({ code: 0 });
  const { id } = JSON.parse(added.output.join('\n'));
  const other = JSON.parse((await add('another-token-0123456')).output.join('\n')).id;
  expect(await json(`own-keys use-first acme ${other}`)).toMatchObject({ id: other, position: 0 });
  expect(await json(`own-keys disable acme ${id}`)).toMatchObject({ id, status: 'disabled' });
  expect(await json(`own-keys enable acme ${id}`)).toMatchObject({ status: 'active' });
  expect(await json(`own-keys test acme ${id}`)).toMatchObject({ ok: null, failure: null });
  const list = await run('own-keys list acme');
  expect(list.output[1]).toMatch(new RegExp(`${other} +google-vertex +active +0 +none`));
  expect(JSON.stringify([added, list])).not.toContain(secret);
  expect(await run(`own-keys delete acme ${id}`)).toMatchObject({ code: 0, output: [`Deleted ${id}.`] });
  expect(await json('own-keys list acme')).toMatchObject([{ id: other }]);
});

test('what cannot work is refused, with the name of the setting', async () => {
  await run('tenants create acme');
  expect(await run('own-keys add acme openai', { input: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Standard input is empty'),
  });
  expect(await run('own-keys add acme azure --set resource=a/b', { input: 'sk-0123456789ab' })).toMatchObject(
    {
      code: 2,
      stderr: expect.stringContaining('settings.resource'),
    },
  );
});

test('a budget includes own keys where that is said, and credit does not', async () => {
  await run('tenants create acme');
  const set = (options: string) => run(`tenants set-limits acme ${options}`);
  expect((await set('--budget 5 --include-own-keys yes')).output.join()).toContain('budgets with own keys');
  expect(await json('tenants show acme')).toMatchObject({ include_own_keys: true });
  expect(await set('--credit 5')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('include_own_keys'),
  });
  expect((await set('--include-own-keys no')).output.join()).not.toContain('own keys');
  expect(await set('--include-own-keys maybe')).toMatchObject({ code: 2 });
});
