/** Who may call the operations of the dashboard: for each of them, strangers, other sites, wrong roles and the wrong kind of session. */
import { describe, expect, test } from 'vitest';
import { type AdminOperation, adminOperations } from '../../lib/core/admin/admin-operations.ts';
import { roles } from '../../lib/core/admin/user.ts';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { clientOf, signInAs, signInByAddress, signInByKey } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway({ GATEWAY_CORS_ORIGINS: '*' });
const operator = use(() => signInByAddress(gateway()));

const all: readonly AdminOperation[] = adminOperations;
const forPeople = all.filter((one) => one.roles);
/** The playground is for API keys: it is chat completions at another path, with its rules. */
const called = all.filter(
  ({ isOpened, path, name }) => !isOpened && path.startsWith('/admin/') && name !== 'admin-playground',
);

/** Below `/admin/v1`; its parameters have values that nothing has. */
const pathOf = ({ path }: Pick<AdminOperation, 'path'>) =>
  path.replace('/admin/v1', '').replace(/\{\w+\+?\}/g, 'none');

const stranger = () => clientOf(`${gateway().url}/admin/v1`, '');

test('every operation is for roles, or is one of the few without a sign-in', () => {
  const open = all.filter((one) => !one.roles).map(({ name }) => name);
  for (const name of open)
    expect(name).toMatch(/^(admin|dashboard)-(session-|sign-in|dashboard-files|files|openapi|playground)/);
});

describe.each(called)('$name', (operation) => {
  test('refuses a page of another site, whatever it sends', async () => {
    const path = pathOf(operation);
    for (const site of ['cross-site', 'same-site']) {
      const answer = await operator.call(operation.method, path, { headers: { 'sec-fetch-site': site } });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
    }
    const withoutHeader = await operator.call(operation.method, path, { headers: { 'x-dashboard': '' } });
    expect(withoutHeader).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } });
  });

  test('lets no page of another origin read it, although clients may', async () => {
    const response = await fetch(`${gateway().url}${operation.path.replace(/\{\w+\+?\}/g, 'none')}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': operation.method },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await stranger().call(operation.method, pathOf(operation), {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });
});

describe.each(forPeople)('$name', (operation) => {
  const { method, withKey } = operation;
  const path = pathOf(operation);

  test('is nothing for a stranger, an API key or a made-up session', async () => {
    const { url, apiKey } = gateway();
    const made = `mgs_${'A'.repeat(43)}`;
    for (const client of [stranger(), clientOf(`${url}/admin/v1`, `gateway-session=${made}`)]) {
      for (const headers of [
        {},
        { authorization: `Bearer ${apiKey}` },
        { authorization: `Bearer ${newApiKey()}` },
        { authorization: `Bearer mgm_${'A'.repeat(43)}` },
      ])
        expect((await client.call(method, path, { headers })).status).toBe(401);
    }
  });

  test('is refused to a role that may not call it', async () => {
    for (const role of roles.filter((one) => !operation.roles?.includes(one))) {
      const tenant = role === 'operator' ? {} : { tenant: 'acme' };
      const client = await signInAs(gateway(), { id: `a-${role}`, name: role, role, ...tenant });
      const answer = await client.call(method, path);
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'role_not_allowed' } } });
    }
  });

  test('the session of an API key is not one of the other paths, and the other way round', async () => {
    const { url, apiKey } = gateway();
    const { cookie } = await signInByKey(gateway(), apiKey);
    const byKey = await clientOf(`${url}/admin/v1`, cookie).call(method, path);
    expect(byKey).toMatchObject({ status: 401, body: { error: { code: 'signed_out' } } });
    const byAddress = await clientOf(`${url}/account/v1`, operator.cookie).call(method, path);
    // Another method of the same path may be for keys.
    expect(withKey ? [401] : [404, 405]).toContain(byAddress.status);
  });
});
