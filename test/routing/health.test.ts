/** How long a failing target is tried last. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createHealth, type Health, maxFailedTargets } from '../../lib/routing/health.ts';
import { testTarget } from '../harness/matrix/model.ts';

const target = testTarget();
const seconds = 1_000;
let time: number;
let health: Health;

beforeEach(() => {
  time = 1_000_000;
  health = createHealth({ now: () => time, random: () => 0.5 });
});

function fail(times: number, everyMs = seconds): void {
  for (let count = 0; count < times; count++) {
    time += everyMs;
    health.failed(target);
  }
}

test('two failures are bad luck, three make it last', () => {
  fail(2);
  expect(health.isFailing(target)).toBe(false);
  fail(1);
  expect(health.isFailing(target)).toBe(true);
});

test('failures far apart say nothing', () => {
  fail(5, 16 * seconds);
  expect(health.isFailing(target)).toBe(false);
});

test('a success in between clears them', () => {
  fail(2);
  health.succeeded(target);
  fail(2);
  expect(health.isFailing(target)).toBe(false);
});

test.each([
  { random: 0, pause: 10 },
  { random: 0.5, pause: 15 },
  { random: 0.999, pause: 20 },
])('it is last for $pause s when chance says $random', ({ random, pause }) => {
  health = createHealth({ now: () => time, random: () => random });
  fail(3);
  time += (pause - 1) * seconds;
  expect(health.isFailing(target)).toBe(true);
  time += seconds;
  expect(health.isFailing(target)).toBe(false);
});

describe('after the pause', () => {
  beforeEach(() => {
    fail(3);
    time += 20 * seconds;
  });

  test('one more failure is enough to be last again', () => {
    fail(1);
    expect(health.isFailing(target)).toBe(true);
  });

  test('it is one more failure for as long as the window that counts three', () => {
    // The pause of 15 s began 20 s ago. The three failures themselves are too old by then.
    time += 24 * seconds;
    fail(1, 0.9 * seconds);
    expect(health.isFailing(target)).toBe(true);
  });

  test('it is three failures when that window is over', () => {
    time += 24 * seconds;
    fail(2);
    expect(health.isFailing(target)).toBe(false);
    fail(1);
    expect(health.isFailing(target)).toBe(true);
  });

  test('a success makes it one like any other', () => {
    health.succeeded(target);
    fail(2);
    expect(health.isFailing(target)).toBe(false);
  });

  test('much later, all is forgotten', () => {
    time += 60 * seconds;
    fail(2);
    expect(health.isFailing(target)).toBe(false);
  });
});

test('another region of the same provider is another target', () => {
  fail(3);
  const elsewhere = { ...target, deployment: { ...target.deployment, region: 'eu-west-1' } };
  expect(health.isFailing(elsewhere)).toBe(false);
});

test('only so many failing targets are remembered', () => {
  fail(3);
  const { deployment } = target;
  for (let number = 0; number < maxFailedTargets; number += 1) {
    expect(health.isFailing(target)).toBe(true);
    health.failed({ ...target, deployment: { ...deployment, upstreamId: `other-${number}` } });
  }
  expect(health.isFailing(target)).toBe(false);
});

test('what fails with the credential of a tenant is last for that credential alone', () => {
  const credential = {
    id: 'cred_1',
    tenant: 'acme',
    account: 'openai',
    fallback: 'none',
    sealed: '',
  } as const;
  const own = { ...target, credential };
  for (let count = 0; count < 3; count++) health.failed(own);
  expect(health.isFailing(own)).toBe(true);
  expect(health.isFailing(target)).toBe(false);
  expect(health.isFailing({ ...own, credential: { ...credential, id: 'cred_2' } })).toBe(false);
});
