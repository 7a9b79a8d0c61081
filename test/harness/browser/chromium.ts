/** The Chromium of this machine. Tests that need it are skipped where there is none, with one line that states so. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { beforeAll, describe } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** That of the variable CHROMIUM, or the first of the usual names in the path; undefined without one. */
function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const usual = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.CHROMIUM, '/usr/bin/chromium', ...usual].find(
    (path) => path !== undefined && path !== '' && isProgram(path),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Without a sandbox, as root in a container needs it, and without calls of its own to the network. */
const options = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** With an empty profile. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('No Chromium: set CHROMIUM to its path.');
  return await chromium.launch({ executablePath, args: options });
}

/** A group of tests that needs a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumPath() !== undefined) return void describe(name, tests);
  process.stderr.write(`SKIPPED: ${name}: there is no Chromium here (set CHROMIUM to its path)\n`);
  describe.skip(name, tests);
}

let started: Browser | undefined;

/** One browser for the test files of a process, whose pages have profiles of their own. It ends with the process. */
export function useBrowser(): () => Browser {
  beforeAll(async () => {
    if (!started?.isConnected()) started = await startBrowser();
  });
  return () => started as Browser;
}
