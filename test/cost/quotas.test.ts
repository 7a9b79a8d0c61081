/** Which quotas are exceeded, and from how many streams. */
import { expect, test } from 'vitest';
import { cost, costJson } from './run-cost.ts';

interface JsonQuota {
  readonly name: string;
  readonly needed: Readonly<Record<string, number>>;
  readonly exceeded_from: number | null;
}

function quotasFor(typed: string) {
  const { quotas }: { quotas: readonly JsonQuota[] } = costJson(`--quotas ${typed}`);
  return Object.fromEntries(
    quotas.map(({ name, needed, exceeded_from }) => [name, { needed, exceeded_from }]),
  );
}

test('one stream needs one function, and one request per duration', () => {
  const quotas = quotasFor('--duration 20');
  expect(quotas['Lambda concurrency']).toEqual({
    needed: { 1000: 1_000, 10000: 10_000, 100000: 100_000, 1000000: 1_000_000 },
    exceeded_from: 1_000,
  });
  expect(quotas['API Gateway']).toEqual({
    needed: { 1000: 50, 10000: 500, 100000: 5_000, 1000000: 50_000 },
    exceeded_from: 1_000_000,
  });
});

test('the item of a limited tenant grows with its running streams', () => {
  // 125 per second; 130 + 96 × 1,001 bytes are 94 units; two writes each
  const alone = quotasFor('--limits key+tenant --tenants 1 --keys 1')["one limited scope's item"];
  expect(alone).toMatchObject({ needed: { 1000: 125 * 2 * 94 }, exceeded_from: 1_000 });
  const many = quotasFor('--limits key+tenant --tenants 1000 --keys 1000')["one limited scope's item"];
  expect(many).toMatchObject({ needed: { 1000: 1 }, exceeded_from: 1_000_000 });
  expect(quotasFor('--limits none')["one limited scope's item"]).toMatchObject({ exceeded_from: null });
});

test('the table says what to do about an exceeded quota', () => {
  const { code, output } = cost('--quotas');
  expect(code).toBe(0);
  expect(output).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^QUOTA +LIMIT +AT 1,000 +AT 10,000 +AT 100,000 +AT 1,000,000$/),
      expect.stringMatching(/^- from 10,000: API of this stack: deploy with -c throttleRate=/),
    ]),
  );
});
