/** What the dashboard costs while no one uses it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPage } from '../../build/dashboard.ts';
import { dashboardPage } from '../../cli/cost/sizes.ts';
import { costJson } from './run-cost.ts';

const line = 'page of the dashboard, with earlier versions';
const idleOf = (typed: string) => costJson(typed).lines.find(({ what }: { what: string }) => what === line);

test('its size is that of the page', async () => {
  const files = [...(await buildPage()).values()];
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  expect(bytes / dashboardPage).toBeGreaterThan(0.85);
  expect(bytes / dashboardPage).toBeLessThan(1.15);
});

test.each(['event', 'fargate'])('is a line of the bill on %s where it is asked for, by hand', (compute) => {
  expect(idleOf(`--compute ${compute}`)).toBeUndefined();
  // 12 versions of 200,000 bytes are 0.002235 GiB, at 0.023
  expect(idleOf(`--compute ${compute} --dashboard`)).toMatchObject({
    part: 'S3',
    usd_per_month: '0.0000514',
  });
});

test('belongs to what is due without requests, and the page about it states the amount', () => {
  const idle = (typed: string) => Number(costJson(typed).usd_idle);
  expect(idle('--dashboard') - idle('')).toBeCloseTo(0.0000514, 6);
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/dashboard.md'), 'utf8');
  expect(page).toContain(`USD ${idleOf('--dashboard').usd_per_month} a month`);
  expect(page).toContain('npm run cost -- --dashboard');
});
