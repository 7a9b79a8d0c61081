/** One browser for the tests of a file. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startBrowser } from './chromium.ts';

export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  return () => browser;
}
