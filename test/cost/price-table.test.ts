/** The prices of another region, in a file of the operator. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cost, costJson } from './run-cost.ts';

const directory = mkdtempSync(join(tmpdir(), 'price-table-'));
afterAll(() => rmSync(directory, { recursive: true }));

const ours = costJson('--prices');

function write(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const doubled = (dollars: string) => (Number(dollars) * 2).toFixed(12);

test('is that of a bill, whole', () => {
  const prices = Object.fromEntries(
    Object.entries(ours.prices as Record<string, { tiers: { dollars: string }[] }>).map(([name, price]) => [
      name,
      { ...price, tiers: price.tiers.map((tier) => ({ ...tier, dollars: doubled(tier.dollars) })) },
    ]),
  );
  const path = write('double.json', { region: 'eu-central-1', prices });
  const [here, there] = [costJson('--rps 5'), costJson(`--rps 5 --price-table ${path}`)];
  expect(there.region).toBe('eu-central-1');
  const sum = (lines: readonly { usd_per_month: string }[]) =>
    lines.reduce((total, line) => total + Number(line.usd_per_month), 0);
  expect(sum(there.lines) / sum(here.lines)).toBeCloseTo(2, 2);
});

test.each([
  [
    'lacks a price',
    { region: 'eu-central-1', prices: { ...ours.prices, tableWrites: undefined } },
    'lacks the prices of tableWrites',
  ],
  [
    'has another unit',
    {
      region: 'eu-central-1',
      prices: { ...ours.prices, tableWrites: { ...ours.prices.tableWrites, per: '7' } },
    },
    'prices.tableWrites.per must be',
  ],
  [
    'has a number',
    {
      region: 'eu-central-1',
      prices: { ...ours.prices, tableWrites: { ...ours.prices.tableWrites, tiers: [{ dollars: 1 }] } },
    },
    'prices.tableWrites.tiers.0.dollars',
  ],
  ['is no JSON', '{', 'is not JSON'],
])('is refused if it %s', (name, content, message) => {
  const { code, stderr } = cost(`--price-table ${write(`${name.replaceAll(' ', '-')}.json`, content)}`);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test('is refused beside a region, or where there is no file', () => {
  const path = write('ours.json', ours);
  expect(cost(`--region us-east-1 --price-table ${path}`).code).toBe(2);
  expect(cost(`--price-table ${path}`).code).toBe(0);
  expect(cost(`--price-table ${join(directory, 'none.json')}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Cannot read'),
  });
});
