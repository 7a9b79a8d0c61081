/** What is created in the background now: who sees it, who may cancel it, over the dashboard's API and by the command line. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { requestsListAnswer } from '../../../lib/admin/requests/schema.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { type AdminClient, signInAs, signInByAddress } from '../../harness/admin/admin-client.ts';
import { runCommand } from '../../harness/operator-command.ts';
import { model, until, useBackgroundGateway } from '../../harness/responses/background-gateway.ts';
import { queueResponse } from '../../harness/responses/queue-response.ts';
import { use } from '../../harness/use.ts';

const background = useBackgroundGateway();
const body = { model, input: 'Count.', background: true };
const operator = use(async () => await signInByAddress(background.gateway));

async function running(client: AdminClient, query = '', state = 'running') {
  const { status, body: answer } = await client.call('GET', `/requests?status=${state}&${query}`);
  expect([status, answer.error]).toEqual([200, undefined]);
  return requestsListAnswer.parse(answer).data;
}

/** A tenant with a key that is owned, and one that is not. */
async function newTenant() {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  const keys = createKeyStore({ call: background.ledger.call, table: 'access' });
  const own = await keys.create({ tenant, owner: 'mia', name: 'laptop' });
  const other = await keys.create({ tenant });
  const as = (role: 'viewer' | 'member' | 'tenant_admin') =>
    signInAs(background.gateway, { id: 'mia', name: 'Mia', role, tenant });
  return { tenant, own, other, as };
}

const queuedAt = (at: number, tenant: string, key: string) =>
  queueResponse(background.ledger.call, { tenant, key, at });

test('what runs is listed until it has ended, and an operator cancels it', async () => {
  const { tenant, own, as } = await newTenant();
  const client = background.client().withOptions({ apiKey: own.secret });
  const holding = background.hold();
  const { id } = await client.responses.create(body);
  const held = await holding;
  held.say('One');
  await until(client, id, 'in_progress');
  const [row, ...others] = await running(operator, `tenant=${tenant}`);
  const about = { response: id, status: 'in_progress', tenant, key: own.id, key_name: 'laptop', model };
  expect([row, others]).toEqual([expect.objectContaining({ ...about, streamed: false, cost: null }), []]);
  expect(row?.total_ms).toBeGreaterThan(0);
  // The aggregator notes whose requests are open.
  await expect.poll(async () => (await running(operator)).map(({ response }) => response)).toContain(id);
  const path = `/requests/${row?.id}/cancel`;
  expect((await (await as('viewer')).call('POST', path, { body: {} })).status).toBe(403);
  const cancelled = await operator.call('POST', path, { body: { tenant } });
  expect(cancelled.body).toEqual({
    object: 'request',
    id: row?.id,
    response: id,
    tenant,
    status: 'cancelled',
  });
  expect((await client.responses.retrieve(id)).status).toBe('cancelled');
  expect(await held.over).toBe(false);
  expect(await running(operator, `tenant=${tenant}`)).toEqual([]);
  expect((await operator.call('POST', path, { body: { tenant } })).status).toBe(400);
  const { body: audit } = await operator.call('GET', `/audit?tenant=${tenant}`);
  expect(audit.data).toMatchObject([{ action: 'requests.cancel', target: row?.id }]);
});

test('members see and cancel what their own keys create, viewers see all of their tenant, and others nothing', async () => {
  const { tenant, own, other, as } = await newTenant();
  const mine = await queuedAt(Date.now() - 2_000, tenant, own.id);
  const theirs = await queuedAt(Date.now() - 1_000, tenant, other.id);
  const [viewer, member] = [await as('viewer'), await as('member')];
  const ids = async (client: AdminClient) => (await running(client)).map(({ response }) => response);
  expect(await ids(viewer)).toEqual([theirs.response, mine.response]);
  expect(await ids(member)).toEqual([mine.response]);
  expect(await ids(await (await newTenant()).as('viewer'))).toEqual([]);
  const cancel = (id: string) => member.call('POST', `/requests/${id}/cancel`, { body: {} });
  expect((await cancel(theirs.requestId)).status).toBe(404);
  expect((await cancel(mine.requestId)).status).toBe(200);
  expect(await ids(member)).toEqual([]);
  // Nothing was called for it.
  const [record] = await background.ledger.recordsOf(tenant);
  expect(record).toMatchObject({ requestId: mine.requestId, error: 'not_begun', charge: 0 });
});

test('of what runs, requests of the foreground are listed with those of the background, until they have ended', async () => {
  const { tenant, own, other, as } = await newTenant();
  const queued = await queuedAt(Date.now() - 2_000, tenant, other.id);
  const client = background.client().withOptions({ apiKey: own.secret });
  const holding = background.hold();
  const answer = client.responses.create({ model, input: 'Count.', stream: true });
  const held = await holding;
  held.say('One');
  const open = (by = operator, query = `tenant=${tenant}`) => running(by, query, 'open');
  await expect.poll(async () => (await open()).length).toBe(2);
  const [row, background_] = await open();
  expect(row).toMatchObject({
    status: 'open',
    response: null,
    key: own.id,
    model,
    http_status: null,
    cost: null,
  });
  expect(background_).toMatchObject({ status: 'queued', response: queued.response });
  expect(row?.total_ms).toBeGreaterThan(0);
  expect((await open(await as('member'))).map(({ id }) => id)).toEqual([row?.id]);
  const [old, ...others] = await open(operator, `tenant=${tenant}&min_duration_ms=2000`);
  expect([old?.id, others]).toEqual([queued.requestId, []]);
  // Without a tenant, of those whom the aggregator has noted.
  await expect.poll(async () => (await open(operator, '')).map(({ id }) => id)).toContain(row?.id);
  held.finish();
  for await (const _ of await answer);
  await expect.poll(async () => (await open()).map(({ id }) => id)).toEqual([queued.requestId]);
});

test('what a provider goes on with between two workers is not recorded as free when it is cancelled', async () => {
  const { tenant, own, as } = await newTenant();
  const { requestId, response: id } = await queuedAt(Date.now() - 2_000, tenant, own.id);
  const runs = background.runsAt(Date.now);
  await runs.begin({ tenant, id }, 'a-worker');
  const upstream = { model: 'acme/held', provider: 'openai', region: 'global', id: 'resp_1' };
  await runs.handOver({ tenant, id }, 'a-worker', { upstream, logged: { next: 0, sequence: 1 } });
  const member = await as('member');
  expect((await member.call('POST', `/requests/${requestId}/cancel`, { body: {} })).status).toBe(200);
  expect(await background.ledger.recordsOf(tenant)).toEqual([]);
});

test('the command line lists and cancels', async () => {
  const { tenant, own } = await newTenant();
  const { requestId, response, model: called } = await queuedAt(Date.now() - 5_000, tenant, own.id);
  const { gateway } = background;
  const run = (command: string) => runCommand(tmpdir(), command, { variables: gateway.variables });
  const listed = await run(`responses list --tenant ${tenant} --json`);
  expect(JSON.parse(listed.output.join('\n'))).toMatchObject([
    { response, request: requestId, status: 'queued', key: own.id, model: called, streamed: true },
  ]);
  const { age_seconds: age } = JSON.parse(listed.output.join('\n'))[0];
  expect(age).toBeGreaterThanOrEqual(5);
  const cancelled = await run(`responses cancel ${requestId} --tenant ${tenant}`);
  expect([cancelled.code, cancelled.output]).toEqual([0, [`Cancelled ${response}.`]]);
  expect(await running(operator, `tenant=${tenant}`)).toEqual([]);
});
