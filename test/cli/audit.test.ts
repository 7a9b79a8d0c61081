/** Changes by commands are in the audit log, with the name of who runs them. */
import { expect, test } from 'vitest';
import { createAuditLog } from '../../lib/stores/usage/audit.ts';
import { useCommand } from './operator.ts';

const { run, at } = useCommand();

test('every command that changes a key or a tenant leaves one record', async () => {
  const made = await run('keys create --tenant acme --create-tenant --name laptop --budget 5');
  const secret = made.output.at(-1) ?? '';
  const id = /key_[0-9a-f]{12}/.exec(made.output.join('\n'))?.[0];
  const webhook = await run('tenants set-alerts acme --webhook https://hooks.example.com/budget');
  for (const command of [
    `keys set-limits ${id} --budget 6`,
    `keys set-models ${id} openai/*`,
    `keys rotate ${id}`,
    `keys disable ${id}`,
    'tenants set-limits acme --budget 50',
    'tenants set-user-limits acme --requests 3',
    'tenants set-throughput acme 600',
    'tenants set-database-policy acme refuse',
    'tenants suspend acme',
    'tenants activate acme',
    'tenants add-credit acme 20 --by olga',
    'tenants adjust acme -5 --reason outage --by olga',
    'tenants set-pricing acme --markup 20',
  ]) {
    expect(await run(command)).toMatchObject({ code: 0 });
  }
  const log = createAuditLog(at('usage'));
  const { records } = await log.list({ limit: 100, tenant: 'acme' });
  expect(records.map(({ action }) => action).toSorted()).toEqual([
    'keys.change',
    'keys.change',
    'keys.create',
    'keys.disable',
    'keys.rotate',
    'tenants.adjust',
    'tenants.change',
    'tenants.change',
    'tenants.change',
    'tenants.change',
    'tenants.change',
    'tenants.change',
    'tenants.change',
    'tenants.create',
    'tenants.credit',
    'tenants.pricing',
  ]);
  const ofMoney = records.filter(({ action }) => ['tenants.credit', 'tenants.adjust'].includes(action));
  expect(ofMoney.map(({ by }) => by)).toEqual(
    Array.from({ length: 2 }, () => ({ id: 'olga', name: 'olga', role: 'operator', via: 'command' })),
  );
  const text = JSON.stringify(records);
  expect(secret).toMatch(/^mgw_/);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(webhook.output.at(-1));
});
