/** Credentials of tenants as a process has them: sealed for one place, opened for minutes, dropped when they are refused. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { SealedFor } from '../../lib/core/credential.ts';
import type { ProviderAccess } from '../../lib/core/ports/provider-access.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { ownAccess, ownSettingsOf } from '../../lib/providers/own-settings.ts';
import { rootOf, settingsOf } from '../../lib/providers/provider.ts';
import { createOwnCredentials, maxOpen, openMs } from '../../lib/runtime/own-keys/own-credentials.ts';
import { createSealer } from '../../lib/runtime/own-keys/seal.ts';
import type { StoredCredential } from '../../lib/stores/access/credentials.ts';

const derive = async (purpose: string) => hash('sha256', purpose, 'buffer');
const noKms = () => Promise.reject(new Error('There is no KMS.'));
const sealer = createSealer({ derive, kms: noKms });

const secret = { 'api-key': 'secret' };
const what = { id: 'cred_1', tenant: 'acme', account: 'openai' };
const others: readonly SealedFor[] = [
  { ...what, id: 'cred_2' },
  { ...what, tenant: 'other' },
  { ...what, account: 'azure' },
];

test('a sealed text opens for what it was sealed for, and for nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const settings = { 'api-key': text };
      const sealed = await sealer.seal(what, settings);
      expect(await sealer.open(what, sealed)).toEqual(settings);
      for (const other of others) await expect(sealer.open(other, sealed)).rejects.toThrow();
    }),
    { numRuns: 20 },
  );
});

test('a changed text does not open, and the same one is sealed differently each time', async () => {
  const sealed = await sealer.seal(what, secret);
  expect(await sealer.seal(what, secret)).not.toBe(sealed);
  const bytes = Buffer.from(sealed.slice(2), 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    await expect(sealer.open(what, `a.${changed.toString('base64url')}`)).rejects.toThrow();
  }
});

test('with a key in KMS, the tenant, account and id are the context of each call', async () => {
  const calls: (readonly [string, object])[] = [];
  const kms = createSealer({
    derive,
    kmsKey: 'arn:key',
    kms: async () => async (action, input) => {
      calls.push([action, input]);
      const { Plaintext, CiphertextBlob } = input as { Plaintext?: string; CiphertextBlob?: string };
      return { CiphertextBlob: Plaintext, Plaintext: CiphertextBlob };
    },
  });
  const sealed = await kms.seal(what, secret);
  expect(await kms.open(what, sealed)).toEqual(secret);
  const EncryptionContext = { tenant: 'acme', account: 'openai', credential: 'cred_1' };
  expect(calls).toMatchObject([
    ['TrentService.Encrypt', { KeyId: 'arn:key', EncryptionContext }],
    ['TrentService.Decrypt', { EncryptionContext }],
  ]);
});

interface World {
  now: number;
  opened: number;
  stored: StoredCredential[];
  noted: (readonly [string, ...unknown[]])[];
}

async function credential(id = 'cred_1'): Promise<StoredCredential> {
  const sealed = await sealer.seal({ ...what, id }, { 'api-key': `key of ${id}` });
  const shown = { last4: '', fingerprint: '', shown: {}, createdAt: 1 };
  return { ...what, id, sealed, fallback: 'none', ...shown };
}

function worldOf(stored: StoredCredential[]) {
  const world: World = { now: 1_000_000, opened: 0, stored, noted: [] };
  const own = createOwnCredentials({
    store: {
      list: async () => world.stored,
      noteUse: async (...noted) => void world.noted.push(['used', ...noted]),
      noteFailure: async (...noted) => void world.noted.push(['failed', ...noted]),
    },
    sealer: {
      open: async (...sealed) => {
        world.opened += 1;
        return await sealer.open(...sealed);
      },
    },
    findShared: async () => ({
      apiKey: 'shared',
      sign: async (request) => request,
      settings: { project: 'ours' },
    }),
    createFindToken: () => async (credentials) => `token of ${credentials}`,
    now: () => world.now,
    warn: () => {},
  });
  return { world, own };
}

test('it is opened once in five minutes, and again when it was refused', async () => {
  const one = await credential();
  const { world, own } = worldOf([one]);
  const first = await own.access('openai', one);
  expect(await own.access('openai', one)).toBe(first);
  expect(first).toMatchObject({ apiKey: 'key of cred_1' });
  expect(world.opened).toBe(1);
  world.now += openMs;
  await own.access('openai', one);
  expect(world.opened).toBe(2);
  await own.refused(one, '401');
  await own.refused(one, '401');
  await own.access('openai', one);
  expect(world.opened).toBe(3);
  expect(world.noted.filter(([kind]) => kind === 'failed')).toEqual([['failed', 'cred_1', 1_300, '401']]);
});

test('however often it is refused, or does not open, nothing of it is left in memory', async () => {
  const one = await credential();
  const { own } = worldOf([one]);
  vi.useFakeTimers();
  try {
    for (let n = 0; n < 20; n += 1) {
      await own.access('openai', one);
      await own.access('openai', { ...one, id: 'cred_9' }).catch(() => {});
      const refused = own.refused(one, '401');
      await vi.advanceTimersByTimeAsync(1_000);
      await refused;
    }
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('one that is disabled is not listed any more within ten seconds, nor is one that was removed', async () => {
  const [one, two] = [await credential('cred_1'), await credential('cred_2')];
  const { world, own } = worldOf([one, two]);
  const ids = async () => (await own.list('acme', 'openai')).map(({ id }) => id);
  expect(await ids()).toEqual(['cred_1', 'cred_2']);
  world.stored = [{ ...one, disabledAt: 1 }];
  world.now += 10_000;
  expect(await ids()).toEqual([]);
});

test('one that is in memory does not open for another tenant, account or text with its id', async () => {
  const one = await credential();
  const { own } = worldOf([one]);
  await own.access('openai', one);
  for (const other of [{ tenant: 'other' }, { account: 'azure' }, { sealed: 'a.AAAA' }])
    await expect(own.access('openai', { ...one, ...other })).rejects.toMatchObject({
      kind: 'upstream_failed',
    });
});

test('a process has at most a thousand open', async () => {
  const one = await credential();
  const { world, own } = worldOf([one]);
  await own.access('openai', one);
  for (let n = 0; n < maxOpen; n += 1)
    await own.access('openai', { ...one, id: `other_${n}` }).catch(() => undefined);
  const before = world.opened;
  for (let n = 0; n < 5; n += 1) await own.access('openai', one);
  expect(world.opened - before).toBeLessThanOrEqual(1);
});

test('one that does not open says so without its text, and is no refusal of the provider', async () => {
  const one = await credential();
  const { own } = worldOf([one]);
  const failure = own.access('openai', { ...one, id: 'cred_9' });
  await expect(failure).rejects.toMatchObject({ kind: 'upstream_failed' });
  await expect(failure).rejects.not.toThrow(/key of/);
});

/** As each account is called: where, and what in the headers says who asks. */
const kinds: Readonly<Record<string, readonly [settings: object, url: string, headers: object]>> = {
  openai: [{ 'api-key': 'theirs' }, 'https://api.openai.com/v1', { authorization: 'Bearer theirs' }],
  anthropic: [
    { 'api-key': 'theirs' },
    'https://api.anthropic.com/v1',
    { 'x-api-key': 'theirs', 'anthropic-version': '2023-06-01' },
  ],
  google: [
    { 'api-key': 'theirs' },
    'https://generativelanguage.googleapis.com/v1beta',
    { 'x-goog-api-key': 'theirs' },
  ],
  azure: [
    { 'api-key': 'theirs', resource: 'mine' },
    'https://mine.openai.azure.com/openai/v1',
    { 'api-key': 'theirs' },
  ],
  bedrock: [
    { 'api-key': 'theirs' },
    'https://bedrock-runtime.eu-west-1.amazonaws.com',
    { authorization: 'Bearer theirs' },
  ],
  'google-vertex': [
    { credentials: '{"their":"account"}', project: 'theirs', location: 'global' },
    'https://eu-west-1-aiplatform.googleapis.com/v1beta1/projects/theirs/locations/eu-west-1',
    { authorization: 'Bearer token of {"their":"account"}' },
  ],
};

test.each(Object.entries(kinds))('%s is called at its host, as the tenant', async (name, kind) => {
  const [settings, url, headers] = kind;
  const provider = providers.get(name);
  if (!provider) throw new Error(name);
  const id = { id: 'cred_1', tenant: 'acme', account: name };
  const sealed = await sealer.seal(id, settings as Record<string, string>);
  const { own } = worldOf([]);
  const access = await own.access(name, { ...id, sealed, fallback: 'none' });
  const root = rootOf(provider, 'eu-west-1', access);
  expect(root).toBe(url);
  const request = await provider.authorize({ method: 'POST', url: root, headers: {} }, access, 'eu-west-1');
  expect(request).toEqual({ method: 'POST', url: root, headers });
});

test('nothing of the gateway’s account is in a call of any provider that takes own keys', async () => {
  const shared: ProviderAccess = {
    apiKey: 'ours',
    sign: () => Promise.reject(new Error('ours')),
    settings: { project: 'ours' },
  };
  for (const provider of providers.values()) {
    const names = ownSettingsOf(provider);
    if (names.length === 0) continue;
    const { account } = settingsOf(provider);
    const settings = Object.fromEntries(names.map((name) => [name, 'theirs']));
    const access = ownAccess(account, settings, shared);
    const url = rootOf(provider, 'eu-west-1', access);
    const request = await provider.authorize({ method: 'POST', url, headers: {} }, access, 'eu-west-1');
    expect(JSON.stringify(request.headers)).toContain('theirs');
    expect(JSON.stringify(request)).not.toContain('ours');
  }
});

test('no provider takes an address of a tenant, and each host that is made of a setting is the provider’s', () => {
  for (const provider of providers.values()) {
    const settings = ownSettingsOf(provider);
    expect(settings).not.toContain('base-url');
    expect(settings.filter((name) => name.startsWith('batch-'))).toEqual([]);
  }
  const azure = ownAccess('azure', { 'api-key': 'k', resource: 'mine' }, { baseUrl: 'https://ours.example' });
  expect(azure.baseUrl).toBe('https://mine.openai.azure.com/openai/v1');
  // The sandbox answers for everyone.
  const played = ownAccess('azure', { resource: 'mine' }, { baseUrl: 'http://sandbox', sandbox: true });
  expect(played).toMatchObject({ baseUrl: 'http://sandbox', sandbox: true });
});
