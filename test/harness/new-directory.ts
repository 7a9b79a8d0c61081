/** A directory of the tests of a file or a group, which is removed after them. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-'));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
