/**
 * The command `npm run screenshots [-- <page> ...]`: every page of the dashboard, light and dark, on a large screen, a desktop and a phone,
 * with the example's data, into `screenshots/`. For people to look at before a release.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startGateway } from '../../../local/gateway.ts';
import { sessionStore } from '../../harness/admin/admin-client.ts';
import { startBrowser } from '../../harness/browser/chromium.ts';
import { settle } from '../../harness/browser/enter.ts';
import { openWatched, sizes } from '../../harness/browser/watched-page.ts';
import { hideLog } from '../../harness/captured-log.ts';
import { setGatewayEnvironment } from '../../harness/gateways/environment.ts';
import { failedShots, freshShots, type Shot, shots } from './shots.ts';
import { writeExample } from './write-example.ts';

const folder = join(import.meta.dirname, '../../../screenshots');
const days = 62;

hideLog();
const dataDirectory = await mkdtemp(join(tmpdir(), 'gateway-screenshots-'));
const gateway = await startGateway({ port: 0, dataDirectory, environment: { GATEWAY_LEDGER_DAYS: '90' } });
setGatewayEnvironment(gateway.variables);
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const browser = await startBrowser();
  try {
    await takeAll(browser, freshShots);
    const written = await writeExample(days);
    await gateway.settled();
    console.log(`The example has ${written} requests.`);
    await takeAll(browser, shots);
    await takeAll(browser, failedShots);
  } finally {
    await browser.close();
  }
} finally {
  await gateway.close();
  await rm(dataDirectory, { recursive: true, force: true });
}

async function takeAll(browser: Browser, wanted: readonly Shot[]): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes))
    for (const theme of ['light', 'dark'] as const) await take(browser, wanted, size, viewport, theme);
}

async function take(
  browser: Browser,
  wanted: readonly Shot[],
  size: string,
  viewport: { readonly width: number; readonly height: number },
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const watched = await openWatched(browser, { viewport, colorScheme });
  const { page } = watched;
  page.setDefaultTimeout(5_000);
  const ticket = await sessionStore().makeTicket('ada');
  await page.goto(`${gateway.url}/dashboard/start?token=${ticket}`);
  const names = process.argv.slice(2);
  for (const { name, path, prepare } of wanted) {
    if (names.length > 0 && !names.some((part) => name.startsWith(part))) continue;
    await page.goto(`${gateway.url}/dashboard/${path}`);
    await settle(page);
    await prepare?.(page).catch((thrown: Error) => console.log(`${name}: ${thrown.message.split('\n')[0]}`));
    await settle(page);
    // What moves has come to rest.
    await page.waitForTimeout(600);
    await page.screenshot({
      path: join(folder, `${name}-${size}-${colorScheme}.png`),
      fullPage: size === 'phone',
    });
  }
  for (const problem of watched.problems()) console.log(`${size} ${colorScheme}: ${problem}`);
}
