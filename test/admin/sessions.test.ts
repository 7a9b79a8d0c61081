/** Sessions of the dashboard on a local gateway: by the one-time address, and by an API key. */
import { expect, test } from 'vitest';
import { clientOf, cookieOf, signInByKey } from '../harness/admin/admin-client.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';

const gateway = useGateway();

test('the one-time address signs in once, with a cookie that no page can read', async () => {
  const { dashboardUrl, url } = gateway();
  const response = await fetch(dashboardUrl, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/dashboard/');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(
    /^gateway-session=mgs_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const session = await clientOf(`${url}/admin/v1`, cookieOf(response)).call('GET', '/session');
  expect(session.body).toMatchObject({
    signed_in: true,
    role: 'operator',
    way: 'address',
    api_url: '/admin/v1',
  });
  const again = await fetch(dashboardUrl, { redirect: 'manual' });
  expect(again.headers.get('location')).toBe('/dashboard/#used-address');
  expect(again.headers.getSetCookie()).toEqual([]);
});

test('a stranger learns the ways in, and nothing else', async () => {
  const { body, headers } = await clientOf(`${gateway().url}/admin/v1`, '').call('GET', '/session');
  expect(body).toEqual({ object: 'session', signed_in: false, ways: ['address', 'key'], oidc: null });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an API key opens a session of a viewer of its tenant, which ends at sign-out', async () => {
  const client = await signInByKey(gateway(), gateway().apiKey);
  const here = clientOf(`${gateway().url}/admin/v1`, client.cookie);
  expect((await here.call('GET', '/session')).body).toMatchObject({
    signed_in: true,
    role: 'viewer',
    tenant: 'local',
    way: 'key',
    api_url: '/account/v1',
  });
  expect((await here.call('DELETE', '/session')).body).toMatchObject({ signed_in: false });
  expect((await here.call('GET', '/session')).body).toMatchObject({ signed_in: false });
});
