/** The page's files through the real HTTP path: what may be kept, what is checked each time, and what protects the page. */

import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../harness/gateways/use-gateway.ts';

const gateway = useGateway();

const load = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${gateway().url}${path}`, { method, headers, redirect: 'manual' });

let index = '';
let assets: readonly string[] = [];
beforeAll(async () => {
  index = await (await load('/dashboard/overview')).text();
  assets = [...index.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path = '']) => path);
});

describe('the index', () => {
  test.each(['/dashboard/', '/dashboard', '/dashboard?range=7d', '//dashboard', '///dashboard//'])(
    '%s leads to the first page',
    async (path) => {
      const answer = await load(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard/overview']);
    },
  );

  test.each(['/dashboard/keys', '/dashboard/requests?status=failed', '/dashboard/unknown'])(
    'answers the address of a page, %s, and is asked for each time',
    async (path) => {
      const answer = await load(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe(index);
    },
  );

  test('is not sent again while it is the same', async () => {
    const tag = (await load('/dashboard/keys')).headers.get('etag') ?? '';
    const again = await load('/dashboard/keys', { 'if-none-match': `W/${tag}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await load('/dashboard/keys', { 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('has neither inline scripts nor inline styles, and names nothing of another origin', () => {
    expect(index).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/);
    expect(assets.length).toBeGreaterThanOrEqual(4);
  });
});

describe('assets', () => {
  test('are kept for a year, and their names have a hash of their content', async () => {
    for (const path of assets) {
      const answer = await load(`/dashboard/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(path).toMatch(/^assets\/[\w-]+-[A-Z0-9]{8}\.(js|css|svg)$/);
      expect(answer.headers.get('content-type')).toMatch(
        /^(text\/(javascript|css); charset=utf-8|image\/svg\+xml)$/,
      );
    }
  });

  test.each(['assets/main-OLDOLDOL.js', 'keys/assets/x.js', 'favicon.ico', '%2e%2e%2fpackage.json'])(
    '%s, which an earlier deployment had or none, is not the index, and nothing keeps that',
    async (path) => {
      const answer = await load(`/dashboard/${path}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await answer.json()).toMatchObject({ error: { type: 'not_found_error' } });
    },
  );

  test('are compressed for a browser that can read it', async () => {
    const script = assets.find((path) => path.includes('main-')) ?? '';
    const plain = await raw(`/dashboard/${script}`, {});
    const zipped = await raw(`/dashboard/${script}`, { 'accept-encoding': 'br, gzip' });
    const refused = await raw(`/dashboard/${script}`, { 'accept-encoding': 'gzip;q=0' });
    expect([plain.coding, zipped.coding, refused.coding]).toEqual([undefined, 'gzip', undefined]);
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 2);
  });
});

describe('every answer', () => {
  test('protects the page from other sites and from scripts that are not its own', async () => {
    for (const path of ['/dashboard', '/dashboard/keys', `/dashboard/${assets[0]}`]) {
      const { headers } = await load(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
    }
  });

  test('to HEAD has no body, and other methods are refused', async () => {
    const head = await load('/dashboard/keys', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await load('/dashboard/keys', {}, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

/** Without fetch, which asks for compression by itself. */
const raw = (path: string, headers: Readonly<Record<string, string>>) =>
  new Promise<{ readonly coding: string | undefined; readonly bytes: Buffer }>((resolve, reject) => {
    get(`${gateway().url}${path}`, { headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ coding: response.headers['content-encoding'], bytes });
    }).on('error', reject);
  });
