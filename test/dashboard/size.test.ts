/** How much a browser loads for the dashboard. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { buildPage } from '../../build/dashboard.ts';
import type { PageFiles } from '../../lib/core/admin/admin-endpoint.ts';

const pages = readdirSync(join(import.meta.dirname, '../../dashboard/pages'), { withFileTypes: true }).filter(
  (entry) => entry.isDirectory(),
);

let files: PageFiles = new Map();
beforeAll(async () => {
  files = await buildPage();
});

/** In bytes, compressed as they are sent. */
const sizeOf = (paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(files.get(path) ?? '', { level: 9 }).length, 0);

/**
 * In KB. It is close to what is there, so that a package that comes in by mistake is found. Every page with its charts, tables and
 * forms is 4 to 8; it may grow with them, to 120.
 */
const largest = 112;

test('everything is small', () => {
  const size = sizeOf([...files.keys()].filter((path) => !path.endsWith('.txt')));
  expect(size / 1_000).toBeLessThan(largest);
});

test('what the first page waits for is smaller still', () => {
  const index = files.get('index.html')?.toString() ?? '';
  const named = [...index.matchAll(/"(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(sizeOf(named) / 1_000).toBeLessThan(32);
});

test('every page is a part of its own', () => {
  const parts = [...files.keys()].filter((path) => path.startsWith('assets/page-'));
  expect(parts).toHaveLength(pages.length);
});

test('the licences of its packages lie beside it', () => {
  const text = files.get('licences.txt')?.toString() ?? '';
  expect(text).toContain('preact');
  expect(text).toContain('@preact/signals');
});
