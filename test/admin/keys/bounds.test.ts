/** The bounds of a key after a change, and how many keys there may be. */
import { expect, test } from 'vitest';
import {
  boundedNumber,
  maxKeysOfOwner,
  maxKeysOfTenant,
  maxNewKeysOfOwner,
  maxNewKeysOfTenant,
} from '../../../lib/admin/keys/number-of-keys.ts';
import { boundsAfter } from '../../../lib/admin/keys/within-bounds.ts';
import type { Role, User } from '../../../lib/core/admin/user.ts';
import type { StoredApiKey } from '../../../lib/stores/access/keys.ts';

const user = (role: Role): User => ({ id: role, name: role, role, tenant: 'acme', via: 'oidc' });

const bounds = { limits: { dailyBudget: 5 }, models: ['a/*'], operations: ['models'], expiresAt: 9 } as const;

test('an admin sets bounds, changes them and lifts them', () => {
  const after = (...given: [Parameters<typeof boundsAfter>[1], Parameters<typeof boundsAfter>[2]]) =>
    boundsAfter(user('tenant_admin'), ...given);
  expect(after(undefined, {})).toBeNull();
  expect(after(undefined, { ...bounds })).toEqual(bounds);
  expect(after(bounds, {})).toEqual(bounds);
  expect(after(bounds, { limits: { dailyBudget: null, credit: 3 }, models: null })).toEqual({
    limits: { credit: 3 },
    operations: ['models'],
    expiresAt: 9,
  });
  expect(after(bounds, { limits: { dailyBudget: null }, operations: null, expiresAt: null })).toEqual({
    models: ['a/*'],
  });
  const lifted = { limits: { dailyBudget: null }, models: null, operations: null, expiresAt: null };
  expect(after(bounds, lifted)).toBeNull();
});

test('a member leaves them as they are', () => {
  expect(boundsAfter(user('member'), bounds, { models: null, limits: { credit: 1 } })).toBe(bounds);
  expect(boundsAfter(user('member'), undefined, { models: ['a/b'] })).toBeNull();
});

const dayMs = 86_400_000;
const now = 1_000 * dayMs;

type Key = Partial<Pick<StoredApiKey, 'owner' | 'disabledAt' | 'createdAt'>>;

const keys = (count: number, key: Key = {}): readonly StoredApiKey[] =>
  Array.from({ length: count }, (_, index) => ({ id: `key_${index}`, tenant: 'acme', createdAt: 1, ...key }));

const lately = { createdAt: (now - dayMs) / 1000 + 1 };
const aDayAgo = { createdAt: (now - dayMs) / 1000 };
const ofOwner = { owner: 'ann' };

test.each<[string, number, Key, RegExp]>([
  ['that work of a tenant', maxKeysOfTenant, {}, /The tenant .* 10000 keys that work/],
  ['that are new of a tenant', maxNewKeysOfTenant, { ...lately, disabledAt: 1 }, /The tenant .* 24 hours/],
  ['that work of an owner', maxKeysOfOwner, ofOwner, /The owner .* 100 keys that work/],
  [
    'that are new of an owner',
    maxNewKeysOfOwner,
    { ...ofOwner, ...lately, disabledAt: 1 },
    /The owner .* 24/,
  ],
])('the number of keys %s is bounded', (_, max, key, message) => {
  const check = boundedNumber(user('tenant_admin'), key.owner, now);
  expect(() => check?.(keys(max, key))).not.toThrow();
  expect(() => check?.(keys(max + 1, key))).toThrow(message);
});

test.each<[string, Key, string | undefined]>([
  ['of other owners', { owner: 'bob' }, 'ann'],
  ['of no one', { owner: 'ann' }, undefined],
  ['that no longer work', { owner: 'ann', disabledAt: 1 }, 'ann'],
  ['of a day ago', { owner: 'ann', disabledAt: 1, ...aDayAgo }, 'ann'],
])('keys %s are not those of the owner', (_, key, owner) => {
  expect(() => boundedNumber(user('member'), owner, now)?.(keys(101, key))).not.toThrow();
});

test('operators make any number of keys', () => {
  expect(boundedNumber(user('operator'), 'ann', now)).toBeUndefined();
});
