/** What an overview is asked for: its span, whether it is shown by hour or day, and which combinations have no sums. */
import { expect, test } from 'vitest';
import { readOverview } from '../../../lib/admin/usage/overview-question.ts';
import type { Scope } from '../../../lib/admin/usage/scope.ts';

const now = Date.parse('2026-03-10T12:34:56Z');
const at = (day: string) => Date.parse(`${day}Z`);
const everyone: Scope = { seesCost: true };
const acme: Scope = { tenant: 'acme', seesCost: false };
const ownKeys: Scope = { ...acme, keys: new Set(['key_one']) };

type Query = Parameters<typeof readOverview>[0];

const read = (query: Query, scope: Scope) => readOverview(query, scope, { now, since: 1 });

test('without times it is of seven days until the end of today, by model', () => {
  expect(read({}, acme)).toEqual({
    span: { from: at('2026-03-04T00:00:00'), to: at('2026-03-11T00:00:00') },
    grain: 'day',
    groupBy: 'model',
  });
  expect(read({ user: 'ann' }, acme)).toMatchObject({ groupBy: 'user', user: 'ann' });
});

const day = { from: at('2026-03-09T00:30:00'), to: at('2026-03-10T00:30:00') };
const threeDays = { from: at('2026-03-07T00:00:00'), to: at('2026-03-10T00:00:00') };
const longAgo = (days: number) => ({
  from: now - days * 86_400_000 - 3_600_000,
  to: now - days * 86_400_000,
});

test.each<[string, Query, Scope, number | undefined, string]>([
  ['one day', day, acme, 1, 'hour'],
  ['three days', threeDays, acme, 1, 'hour'],
  ['more', { ...threeDays, to: threeDays.to + 1 }, acme, 1, 'day'],
  ['of users', { ...day, group_by: 'user' }, acme, 1, 'day'],
  ['of all tenants by tenant', { ...day, group_by: 'tenant' }, everyone, 1, 'day'],
  ['of all tenants', day, everyone, 1, 'hour'],
  ['of one tenant by tenant', { ...day, group_by: 'tenant' }, acme, 1, 'hour'],
  ['since before sums of a tenant', day, acme, day.from + 1, 'day'],
  ['since sums of a tenant', day, acme, day.from, 'hour'],
  ['since before sums of all', day, everyone, day.from + 1, 'hour'],
  ['a tenant without sums', day, acme, undefined, 'day'],
  ['as long ago as hours are kept', longAgo(33), acme, 1, 'hour'],
  ['longer ago than hours are kept', longAgo(34), acme, 1, 'day'],
])('%s is shown by its grain', (_, query, scope, since, grain) => {
  expect(readOverview(query, scope, { now, since }).grain).toBe(grain);
});

test('a span is made of whole hours or days', () => {
  expect(read(day, acme).span).toEqual({ from: at('2026-03-09T00:00:00'), to: at('2026-03-10T01:00:00') });
  expect(read({ ...day, group_by: 'user' }, acme).span).toEqual({
    from: at('2026-03-09T00:00:00'),
    to: at('2026-03-11T00:00:00'),
  });
});

test.each<[string, Query, Scope]>([
  ['key', { key: 'key_one' }, everyone],
  ['user', { user: 'ann' }, everyone],
  ['group_by', { group_by: 'key' }, everyone],
  ['group_by', { group_by: 'user' }, everyone],
  ['model', { group_by: 'tenant', model: 'a/b' }, everyone],
  ['group_by', { group_by: 'provider' }, acme],
  ['group_by', { group_by: 'user' }, ownKeys],
  ['user', { user: 'ann' }, ownKeys],
  ['user', { user: 'ann', group_by: 'model' }, acme],
  ['model', { user: 'ann', model: 'a/b' }, acme],
  ['key', { user: 'ann', key: 'key_one' }, acme],
  ['model', { group_by: 'user', model: 'a/b' }, acme],
  ['from', { from: now - 93 * 86_400_000, to: now }, acme],
  ['from', { from: now, to: now }, acme],
])("'%s' is refused of %j", (param, query, scope) => {
  expect(() => read(query, scope)).toThrow(expect.objectContaining({ status: 400, param }));
});

test.each<[Query, Scope]>([
  [{ group_by: 'tenant' }, everyone],
  [{ group_by: 'provider', model: 'a/b' }, everyone],
  [{ model: 'a/b', key: 'key_one' }, acme],
  [{ group_by: 'key', model: 'a/b' }, ownKeys],
  [{ group_by: 'user' }, acme],
  [{ from: now - 92 * 86_400_000, to: now }, acme],
])('%j may be asked', (query, scope) => {
  expect(() => read(query, scope)).not.toThrow();
});
