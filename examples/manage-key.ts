/**
 * A key of a tenant as a program manages it, which could be Terraform or a job of CI: created once however often that is sent, read,
 * changed from the state that was read, and disabled. GATEWAY_ADMIN_TOKEN is a management key.
 */
import { randomUUID } from 'node:crypto';

const { GATEWAY_URL = 'http://127.0.0.1:8787', GATEWAY_ADMIN_TOKEN } = process.env;
const [tenant = 'example'] = process.argv.slice(2);

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${GATEWAY_URL}/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${GATEWAY_ADMIN_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers: received } = response;
  return { status, etag: received.get('etag') ?? '', body: JSON.parse(await response.text()) };
}

async function expectOk(answering: ReturnType<typeof call>) {
  const answer = await answering;
  if (answer.status !== 200) throw new Error(answer.body.error.message);
  return answer;
}

const found = await call('GET', `/tenants/${tenant}`);
if (found.status === 404) await expectOk(call('POST', '/tenants', { tenant }));

// The connection may break after the key was made. The same key and body give the same answer, with the secret.
const once = { 'idempotency-key': randomUUID() };
const wanted = { tenant, name: 'app', limits: { monthly_budget_usd: '20' } };
const created = await expectOk(call('POST', '/keys', wanted, once));
const repeated = await expectOk(call('POST', '/keys', wanted, once));
const isSame = repeated.body.key === created.body.key;
console.log(
  `created ${created.body.id}, and ${isSame ? 'the same key' : 'ANOTHER KEY'} when it was sent again`,
);

const path = `/keys/${created.body.id}`;
const read = await expectOk(call('GET', path));
console.log(`read: ${read.body.status}, ${read.body.limits.monthly_budget_usd} USD a month`);

const change = { limits: { monthly_budget_usd: '50' } };
const changed = await expectOk(call('PATCH', path, change, { 'if-match': read.etag }));
console.log(`changed: ${changed.body.limits.monthly_budget_usd} USD a month`);

// A change that names an earlier state is refused, and overwrites nothing.
const late = await call('PATCH', path, { name: 'late' }, { 'if-match': read.etag });
console.log(`changed from the earlier state: ${late.status} ${late.body.error?.code}`);

const ended = await expectOk(call('POST', `${path}/disable`));
console.log(`ended: ${ended.body.status}`);
