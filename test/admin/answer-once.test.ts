/** Creates of the admin API that are sent again with their `Idempotency-Key`. */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { adminOperations } from '../../lib/core/admin/admin-operations.ts';
import { answerOnce } from '../../lib/http/admin/answer-once.ts';
import { adminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { createClaimAnswer } from '../../lib/stores/kept-answers.ts';
import { type AdminResponse, accessTable, signInAs, stateTable } from '../harness/admin/admin-client.ts';
import { gatewayEnvironment } from '../harness/gateways/environment.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
let keyId = '';

const operator = use(() => signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'operator' }));
beforeAll(async () => {
  await operator.call('POST', '/tenants', { body: { tenant: 'acme' } });
  keyId = (await operator.call('POST', '/keys', { body: { tenant: 'acme' } })).body.id;
});

const send = (path: string, idempotencyKey: string, body: object, by = operator): Promise<AdminResponse> =>
  by.call('POST', path, { body, headers: { 'idempotency-key': idempotencyKey } });

const amount = { id: 'one', amount_usd: '5' };
const bodies: Readonly<Record<string, object>> = {
  'admin-tenants-create': { tenant: 'twice' },
  'admin-keys-create': { tenant: 'acme', name: 'twice' },
  'admin-keys-rotate': { overlap_seconds: 0 },
  'admin-credit-add': amount,
  'admin-adjustments-add': { ...amount, reason: 'late' },
  'admin-credentials-create': { provider: 'openai', settings: { 'api-key': 'sk-of-the-tenant' } },
  'admin-management-keys-create': { name: 'twice', role: 'operator' },
};

/** That of members is in `members.test.ts`, with a user pool. */
const creates = adminOperations.filter(
  ({ name, keepsAnswer }) => keepsAnswer && name !== 'admin-members-invite',
);

test.each(creates)('$name makes one, and answers twice', async ({ name, path }) => {
  const filled = path.replace('/admin/v1', '').replace('{tenant}', 'acme').replace('{key}', keyId);
  const body = bodies[name] ?? {};
  const first = await send(filled, 'the same', body);
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
  const again = await send(filled, 'the same', body);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
});

test('the secret of a key whose answer is kept is stored in no form that can be read', async () => {
  const body = { tenant: 'acme', name: 'sealed' };
  const { key: secret } = (await send('/keys', 'sealed', body)).body;
  expect((await send('/keys', 'sealed', body)).body.key).toBe(secret);
  const stored = await Promise.all([openTable(accessTable()).scan(''), openTable(stateTable()).scan('')]);
  expect(stored.flat().some(({ pk }) => String(pk).startsWith('answer#user%20olga#'))).toBe(true);
  const texts = JSON.stringify(stored);
  for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, 40)])
    expect(texts).not.toContain(form);
});

test('another input is refused, and so is the input of another user: that one has keys of its own', async () => {
  const body = { tenant: 'acme', name: 'first' };
  const first = await send('/keys', 'reused', body);
  expect(await send('/keys', 'reused', { ...body, name: 'second' })).toMatchObject({
    status: 400,
    body: { error: { code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
  });
  const other = await signInAs(gateway(), { id: 'oscar', name: 'Oscar', role: 'operator' });
  const ofOther = await send('/keys', 'reused', body, other);
  expect(ofOther.body.id).not.toBe(first.body.id);
});

test('what is refused frees its key, and what a user may no longer do is not answered', async () => {
  expect((await send('/keys', 'freed', { tenant: 'later' })).status).toBe(404);
  await operator.call('POST', '/tenants', { body: { tenant: 'later' } });
  expect((await send('/keys', 'freed', { tenant: 'later' })).status).toBe(200);
  const viewer = await signInAs(gateway(), { id: 'olga', name: 'Olga', role: 'viewer', tenant: 'later' });
  expect((await send('/keys', 'freed', { tenant: 'later' }, viewer)).status).toBe(403);
  expect(await send('/keys', 'ü', { tenant: 'acme' })).toMatchObject({
    status: 400,
    body: { error: { param: 'Idempotency-Key' } },
  });
});

test('who is moved to another tenant gets nothing of the one before', async () => {
  await operator.call('POST', '/tenants', { body: { tenant: 'before' } });
  await operator.call('POST', '/tenants', { body: { tenant: 'after' } });
  const adminOf = (tenant: string) =>
    signInAs(gateway(), { id: 'adam', name: 'Adam', role: 'tenant_admin', tenant });
  const first = await send('/keys', 'moved', { name: 'ci' }, await adminOf('before'));
  expect(first.body).toMatchObject({ tenant: 'before' });
  const again = await send('/keys', 'moved', { name: 'ci' }, await adminOf('after'));
  expect(again).toMatchObject({ status: 400, body: { error: { code: 'idempotency_key_reused' } } });
});

test('an answer that was sealed with another secret is an error, and nothing is made', async () => {
  const operation = { name: 'admin-x', method: 'POST', path: '/x', reads: [], timeoutSeconds: 1 } as const;
  const call = {
    user: { id: 'olga', name: 'Olga', role: 'operator', via: 'oidc' },
    idempotencyKey: 'one',
    parameters: {},
    body: {},
    signal: AbortSignal.timeout(60_000),
  } as const;
  let made = 0;
  const run = () =>
    answerOnce(
      call,
      operation,
      {
        claimAnswer: createClaimAnswer({ ...stateTable(), now: Date.now }),
        answerKey: async () => randomBytes(32),
        log: { warn() {} },
      },
      async () => ({ type: 'json', body: { made: ++made } }),
    );
  expect(await run()).toMatchObject({ body: { made: 1 } });
  await expect(run()).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  expect(made).toBe(1);
});

test('a gateway without a secret refuses the header, and makes nothing', async () => {
  const { GATEWAY_SECRET_FILE: _, ...others } = gatewayEnvironment();
  const { answerKey } = adminRuntime(others);
  await expect(answerKey()).rejects.toMatchObject({ kind: 'invalid_request', param: 'Idempotency-Key' });
});
