/** What each role sees in a real browser, and that the gateway refuses what the page does not offer. */
import { expect, test } from 'vitest';
import type { Role } from '../../../lib/core/admin/user.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { accessTable } from '../../harness/admin/admin-client.ts';
import { describeInBrowser } from '../../harness/browser/chromium.ts';
import { enterByIssuer, follow, settle } from '../../harness/browser/enter.ts';
import { useBrowser } from '../../harness/browser/use-browser.ts';
import { openWatched } from '../../harness/browser/watched-page.ts';
import { useSignInGateway } from '../../harness/cognito/sign-in.ts';

interface Sees {
  readonly role: Role;
  readonly group: string;
  readonly pages: readonly string[];
  /** Whether it may make keys. */
  readonly makesKeys: boolean;
  /** Of the keys of two tenants. */
  readonly keys: readonly string[];
}

const everyone = ['Overview', 'Requests', 'Keys', 'Models'];

const rows: readonly Sees[] = [
  {
    role: 'operator',
    group: 'operator',
    pages: ['Overview', 'Requests', 'Keys', 'Playground', 'Models', 'Tenants', 'Providers', 'Audit'],
    makesKeys: true,
    keys: ['of acme', 'of member@acme', 'of other'],
  },
  {
    role: 'tenant_admin',
    group: 'tenant-admin',
    pages: ['Overview', 'Requests', 'Keys', 'Playground', 'Models', 'Tenants', 'Audit'],
    makesKeys: true,
    keys: ['of acme', 'of member@acme'],
  },
  {
    role: 'member',
    group: 'member',
    pages: ['Overview', 'Requests', 'Keys', 'Playground', 'Models'],
    makesKeys: true,
    keys: ['of member@acme'],
  },
  { role: 'viewer', group: 'viewer', pages: everyone, makesKeys: false, keys: ['of acme', 'of member@acme'] },
];

describeInBrowser('roles', () => {
  const both = useSignInGateway();
  const browser = useBrowser();
  let areMade = false;

  async function makeKeys(): Promise<void> {
    if (areMade) return;
    areMade = true;
    const keys = createKeyStore(accessTable());
    const member = both().cognito.pool.add('member@acme.example', { groups: ['member'], tenant: 'acme' });
    await keys.create({ tenant: 'acme', name: 'of acme' });
    await keys.create({ tenant: 'acme', name: 'of member@acme', owner: member.username });
    await keys.create({ tenant: 'other', name: 'of other' });
  }

  test.each(rows)('$role', async ({ role, group, pages, makesKeys, keys }) => {
    await makeKeys();
    const { pool } = both().cognito;
    const email = `${role === 'member' ? 'member' : role}@acme.example`;
    if (!pool.find(email))
      pool.add(email, { groups: [group], ...(role !== 'operator' && { tenant: 'acme' }) });
    const { page, close, allow } = await openWatched(browser());
    allow(/401 \(Unauthorized\) \(http:\/\/[^)]*\/admin\/v1\/session\)/, /favicon/);
    const heard = page
      .waitForRequest((request) => request.headers().authorization !== undefined)
      .then((request) => request.headers().authorization);
    await enterByIssuer(page, both(), email);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem');
    expect(await links.allInnerTexts()).toEqual(pages);
    await follow(page, 'Keys');
    await page.getByRole('row').nth(1).waitFor();
    await settle(page);
    const names = await page.getByRole('row').getByRole('link').allInnerTexts();
    expect(names.filter((name) => name.startsWith('of ')).sort()).toEqual([...keys].sort());
    expect((await page.getByRole('button', { name: 'New key' }).count()) > 0).toBe(makesKeys);
    if (role !== 'operator') {
      // Calls that the page does not offer, made from inside it with all that it has.
      allow(/40[34] \((Forbidden|Not Found)\)/);
      const authorization = await heard;
      const forge = async (method: string, path: string, body?: unknown) =>
        await page.evaluate<number>(`fetch('/admin/v1${path}', {
          method: '${method}',
          headers: { authorization: '${authorization}', 'content-type': 'application/json', 'x-dashboard': '1' },
          ...(${JSON.stringify({ body: body && JSON.stringify(body) })}),
        }).then(({ status }) => status)`);
      expect(await forge('POST', '/tenants', { id: 'mine' })).toBe(403);
      expect(await forge('PUT', '/providers/openai/settings/api-key', { value: 'sk-mine' })).toBe(403);
      expect(await forge('GET', '/keys?tenant=other')).toBe(404);
      expect(await forge('GET', '/overview?tenant=other')).toBe(404);
      if (!makesKeys) expect(await forge('POST', '/keys', { name: 'mine' })).toBe(403);
    }
    await close();
  });
});
