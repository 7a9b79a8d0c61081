/** The model list as Anthropic's clients ask for it: its fields, its pages, and the discovery of Claude Code. */

import { beforeAll, describe, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startTestGateway());
beforeAll(async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
  await createCatalogStore({ call, table: 'catalog' }).names.setAlias('claude-any', [
    { model: 'anthropic/claude-haiku-4-5', weight: 1 },
    { model: 'openai/gpt-4.1', weight: 1 },
  ]);
  await close();
});

interface ModelEntry {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

interface Page {
  readonly data: readonly ModelEntry[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly error?: object;
}

const ask = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/v1/models${query}`, { headers });

async function page(query = ''): Promise<Page> {
  const response = await ask(query);
  expect(response.status, query).toBe(200);
  return (await response.json()) as Page;
}

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

describe('for clients of Anthropic', () => {
  const statusesOf = async (query: string, headers: Record<string, string>) => {
    const response = await ask(query, headers);
    expect(response.headers.get('vary')).toContain('anthropic-version');
    return new Set(((await response.json()) as Page).data.map(({ lifecycle }) => lifecycle));
  };
  const version = { 'anthropic-version': '2023-06-01' };

  test.each(['', '?limit=1000', '?limit=50'])(
    '%s has no retired models, unless they are asked for',
    async (query) => {
      expect(await statusesOf(query, version)).not.toContain('retired');
      expect(await statusesOf(`${query || '?'}&lifecycle=retired`, version)).toEqual(new Set(['retired']));
      if (query !== '?limit=50') expect(await statusesOf(query, {})).toContain('retired');
    },
  );
});

describe('without parameters', () => {
  test('the list is whole, and is one page', async () => {
    const all = await page();
    const ids = idsOf(all);
    expect(all).toMatchObject({ object: 'list', has_more: false, first_id: ids[0], last_id: ids.at(-1) });
    expect(ids).toEqual(ids.toSorted());
  });

  test('a model has the limits and the capabilities of its row', async () => {
    const find = async (id: string) => (await page()).data.find((model) => model.id === id);
    expect(await find('anthropic/claude-haiku-4-5')).toMatchObject({
      display_name: 'Claude Haiku 4.5',
      created_at: '2025-10-15T00:00:00Z',
      endpoints: expect.arrayContaining(['chat_completions', 'messages']),
      lifecycle: 'active',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: {
        image_input: { supported: true },
        pdf_input: { supported: true },
        thinking: {
          supported: true,
          types: { enabled: { supported: true }, adaptive: { supported: false } },
        },
        server_tools: { web_search: { supported: true } },
      },
    });
    expect(await find('anthropic/claude-opus-5')).toMatchObject({
      capabilities: {
        effort: { supported: true, max: { supported: true } },
        thinking: { types: { enabled: { supported: false }, adaptive: { supported: true } } },
      },
    });
    expect(await find('openai/gpt-4.1')).toMatchObject({
      display_name: 'GPT 4.1',
      capabilities: {
        effort: { supported: false, high: { supported: false } },
        thinking: { supported: false, types: { disabled: { supported: true } } },
      },
    });
  });

  test('an alias has the limits that each of its models keeps', async () => {
    const alias = (await page()).data.find(({ id }) => id === 'claude-any');
    expect(alias).toMatchObject({
      type: 'model',
      display_name: 'claude-any',
      max_input_tokens: 200_000,
      max_tokens: 32_768,
      capabilities: { thinking: { supported: true } },
    });
  });

  test('one model is the same as in the list', async () => {
    const response = await ask('/anthropic/claude-haiku-4-5');
    expect((await page()).data).toContainEqual(await response.json());
  });
});

describe('Claude Code', () => {
  test('finds its models, which begin as it expects', async () => {
    const all = await page('?limit=1000');
    expect(all).toEqual(await page());
    const usable = all.data.filter(({ id }) => /^(claude|anthropic)/.test(id));
    expect(usable.length).toBeGreaterThan(5);
    for (const { display_name } of usable) expect(display_name).toEqual(expect.any(String));
  });
});

describe('a page', () => {
  /** All pages of this size in one direction, until there is no further one. */
  async function walk(limit: number, cursor: 'after_id' | 'before_id', from?: string) {
    const pages: Page[] = [];
    let at = from;
    do {
      const where: string = at === undefined ? '' : `&${cursor}=${encodeURIComponent(at)}`;
      const one = await page(`?limit=${limit}${where}`);
      pages.push(one);
      at = (cursor === 'after_id' ? one.last_id : one.first_id) ?? undefined;
    } while (pages.at(-1)?.has_more);
    return pages;
  }

  test.each([7, 60])('of %i models is followed by the next', async (limit) => {
    const pages = await walk(limit, 'after_id');
    expect(pages.flatMap(idsOf)).toEqual(idsOf(await page()));
    for (const one of pages.slice(0, -1)) expect(one.data).toHaveLength(limit);
  });

  test('is followed by the one before it, backward', async () => {
    const all = idsOf(await page());
    const pages = await walk(7, 'before_id', all.at(-1));
    expect(pages.toReversed().flatMap(idsOf)).toEqual(all.slice(0, -1));
  });

  test('after a model that is gone begins where it was', async () => {
    const all = idsOf(await page());
    const next = all.find((id) => id > 'anthropic/claude-zz');
    expect((await page('?limit=2&after_id=anthropic/claude-zz')).first_id).toBe(next);
  });

  test('beyond the last model is empty', async () => {
    expect(await page('?limit=5&after_id=zzz')).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  test('is of the models with a status', async () => {
    const active = await page('?status=active&limit=3');
    expect(active.data.map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    expect(active.has_more).toBe(true);
  });

  test.each([
    ['?lifecycle=deprecated', ['deprecated']],
    ['?lifecycle[]=active&lifecycle[]=retired', ['active', 'retired']],
  ])('%s has the models of these stages', async (query, stages) => {
    const found = (await page(query)).data.map(({ lifecycle }) => lifecycle);
    expect([...new Set(found)].toSorted()).toEqual(stages);
  });

  test('has a tag of its own', async () => {
    const tags = await Promise.all(
      ['', '?limit=3', '?limit=3&after_id=b', '?limit=1000'].map(async (query) =>
        (await ask(query)).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(3);
    const again = await ask('?limit=3', { 'if-none-match': tags[1] ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=some', 'limit'],
    ['?lifecycle=gone', 'lifecycle'],
    [`?after_id=${'a'.repeat(201)}`, 'after_id'],
  ])('%.30s is a 400 that names the parameter', async (query, param) => {
    const response = await ask(query);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: expect.stringMatching(new RegExp(`^${param}: .`)),
          param,
          code: null,
        },
        request_id: response.headers.get('request-id'),
      },
    ]);
  });
});
