/** A key of a tenant's own that is added while the last one is removed is looked for: else the gateway's key would be called in its place. */
import { expect, test } from 'vitest';
import { createCredential, deleteCredential } from '../../lib/admin/credentials/credentials.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { StoredCredential } from '../../lib/stores/access/credentials.ts';

const operator: User = { id: 'olga', name: 'Olga', role: 'operator' } as User;

test('a key that is added while the last one is removed is known of its tenant', async () => {
  const tenant = 'acme';
  let ownProviders: readonly string[] | null = null;
  let stored: readonly StoredCredential[] = [];
  /** What happens before the next one is stored. */
  let before = async () => {};
  const parts = {
    now: () => 0,
    hosts: { get: async () => undefined },
    audit: { write: async () => {} },
    seal: async () => 'a.sealed',
    tenantEdits: {
      find: async () => ({ name: tenant, ...(ownProviders && { ownProviders }) }),
      edit: async (
        _: string,
        decide: (one: object) => { readonly ownProviders?: readonly string[] | null },
      ) => {
        const { ownProviders: own = ownProviders } = decide({ ...(ownProviders && { ownProviders }) });
        ownProviders = own;
      },
    },
    credentials: {
      list: async () => stored,
      edit: async (_: string, __: string, decide: (all: typeof stored) => typeof stored) => {
        const first = before;
        before = async () => {};
        await first();
        stored = decide(stored);
      },
      uses: async () => [],
      startUse: async () => {},
      forgetUse: async () => {},
    },
  } as unknown as Parameters<typeof createCredential>[0];
  const add = (key: string) =>
    createCredential(parts, operator, { tenant, provider: 'openai', settings: { 'api-key': key } });
  const { id } = await add('sk-first-0123456789');
  before = async () => void (await deleteCredential(parts, operator, { tenant, credential: id }));
  await add('sk-second-0123456789');
  expect(stored).toHaveLength(1);
  expect(ownProviders).toEqual(['openai']);
});
