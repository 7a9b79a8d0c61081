/** Batches and files in the dashboard's API and on the command line: who sees them, what is shown, and who cancels. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { batchAnswer, batchesListAnswer, filesListAnswer } from '../../lib/admin/batches/schema.ts';
import type { Batch } from '../../lib/core/batches.ts';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createBatchStore } from '../../lib/stores/batches/batches.ts';
import { type AdminClient, signInAs } from '../harness/admin/admin-client.ts';
import { storeBatch, storedCounts, storedUse, storeFile } from '../harness/batches/stored-batch.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
const ledger = use(() => openLedger());
const operator = use(async () => await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));

async function newTenant() {
  const tenant = `b-${randomUUID().slice(0, 8)}`;
  const keys = createKeyStore({ call: ledger.call, table: 'access' });
  const own = await keys.create({ tenant, owner: 'mia', name: 'laptop' });
  const other = await keys.create({ tenant });
  const as = (role: 'viewer' | 'member') => signInAs(gateway(), { id: 'mia', name: 'Mia', role, tenant });
  const batches = createBatchStore({ call: ledger.call, table: 'files', now: Date.now });
  const add = (key: { readonly id: string }, changes: Partial<Batch> = {}) =>
    storeBatch(ledger.call, { tenant, key: key.id }, changes);
  return { tenant, own, other, as, add, batches };
}

const list = async (client: AdminClient, query = '') =>
  batchesListAnswer.parse((await client.call('GET', `/batches?${query}`)).body);

test('those of both contracts are listed, newest first, page by page, with what they have used', async () => {
  const { tenant, own, add } = await newTenant();
  const first = await add(own, { use: storedUse });
  const second = await add(own, { contract: 'anthropic' });
  const third = await add(own);
  const page = await list(operator, `tenant=${tenant}&limit=2`);
  expect(page.data.map(({ id }) => id)).toEqual([third, second]);
  const rest = await list(operator, `tenant=${tenant}&limit=2&after=${page.next_after}`);
  expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[first], false]);
  expect(rest.data[0]).toMatchObject({
    ...{
      tenant,
      key: own.id,
      key_name: 'laptop',
      status: 'in_progress',
      counts: storedCounts,
      models: ['acme/large'],
      jobs: 1,
    },
    use: { input_tokens: 10, output_tokens: 5, cost_nano_usd: 50, provider_cost_nano_usd: 40 },
  });
  // Of all tenants, those that have not ended.
  expect((await list(operator)).data.map(({ id }) => id)).toEqual(
    expect.arrayContaining([first, second, third]),
  );
});

test('a member sees those of its own keys, a viewer those of its tenant without what providers take, and others none', async () => {
  const { own, other, as, add } = await newTenant();
  const mine = await add(own, { use: storedUse });
  const theirs = await add(other);
  const [viewer, member] = [await as('viewer'), await as('member')];
  const shown = await list(viewer);
  expect(shown.data.map(({ id }) => id)).toEqual([theirs, mine]);
  expect(shown.data[1]?.use).toEqual(expect.not.objectContaining({ provider_cost_nano_usd: 40 }));
  expect((await list(member)).data.map(({ id }) => id)).toEqual([mine]);
  const stranger = await (await newTenant()).as('viewer');
  expect((await list(stranger)).data).toEqual([]);
  expect((await member.call('GET', `/batches/${theirs}`)).status).toBe(404);
  expect((await stranger.call('GET', `/batches/${mine}`)).status).toBe(404);
});

test('one is shown with its plan and jobs, and cancelled once, on record', async () => {
  const { tenant, own, as, add, batches } = await newTenant();
  const id = await add(own);
  const shown = batchAnswer.parse((await operator.call('GET', `/batches/${id}?tenant=${tenant}`)).body);
  expect(shown.plan).toMatchObject([{ model: 'acme/large', by: 'native', price_factor: 0.5 }]);
  expect(shown.job_list).toMatchObject([
    { n: 0, status: 'submitted', lines: 3, polls: 2, next_poll_at: 1_800_000_000, held_nano_usd: null },
  ]);
  const path = `/batches/${id}/cancel`;
  expect((await (await as('viewer')).call('POST', path, { body: {} })).status).toBe(403);
  const cancelled = await (await as('member')).call('POST', path, { body: {} });
  expect(cancelled.body).toEqual({ object: 'batch', id, tenant, status: 'cancelling' });
  expect(await batches.find(tenant, id)).toMatchObject({ status: 'cancelling' });
  const { body: audit } = await operator.call('GET', `/audit?tenant=${tenant}`);
  expect(audit.data).toMatchObject([{ action: 'batches.cancel', target: id }]);
  const batch = await batches.find(tenant, id);
  if (batch) await batches.change(batch, { status: 'cancelled' });
  expect((await operator.call('POST', path, { body: { tenant } })).status).toBe(400);
});

test('files are listed by name and size', async () => {
  const { tenant, own } = await newTenant();
  const id = await storeFile(ledger.call, { tenant, key: own.id });
  const { body } = await operator.call('GET', `/files?tenant=${tenant}`);
  expect(filesListAnswer.parse(body).data).toMatchObject([{ id, filename: 'lines.jsonl', bytes: 12 }]);
  expect((await operator.call('GET', '/files')).status).toBe(400);
});

test('the command line lists, shows and cancels', async () => {
  const { tenant, own, add } = await newTenant();
  const id = await add(own);
  const run = (command: string) => runCommand(tmpdir(), command, { variables: gateway().variables });
  const listed = await run(`batches list --tenant ${tenant} --json`);
  expect(JSON.parse(listed.output.join('\n'))).toMatchObject([{ id, lines: 3, answered: 2 }]);
  const shown = (await run(`batches show ${id} --tenant ${tenant}`)).output.join('\n');
  expect(shown).toContain('submitted');
  const cancelled = await run(`batches cancel ${id} --tenant ${tenant}`);
  expect([cancelled.code, cancelled.output]).toEqual([0, [`The batch ${id} is cancelling.`]]);
  expect((await run(`files list ${tenant}`)).code).toBe(0);
});
