/** The three routes for stored responses: missing responses, access, and methods. */
import { describe, expect, test } from 'vitest';
import { useStoredResponses } from '../../harness/responses/stored-responses.ts';

const day = 24 * 3_600_000;
const { client, store, newKey, ask } = useStoredResponses();

/** The three operations, as paths and methods. */
const routes = [
  ['', 'GET'],
  ['', 'DELETE'],
  ['/input_items', 'GET'],
] as const;

describe('a missing response', () => {
  test.each(routes)('is the same 404 for every reason (%s %s)', async (below, method) => {
    const foreignKey = await newKey('globex');
    const gone = await store();
    await client().responses.delete(gone);
    const ids = {
      unknown: 'resp_00000000000000000000000000000000',
      deleted: gone,
      expired: await store({ at: Date.now() - 30 * day }),
      foreign: await store({ apiKey: foreignKey }),
    };
    const answers = await Promise.all(
      Object.values(ids).map(async (id) => {
        const { status, text } = await ask(`${id}${below}`, { method });
        return `${status} ${text.replaceAll(id, '<id>')}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 .*"type":"not_found_error"/);
    expect(answers[0]).toContain('<id>');
    expect((await ask(ids.foreign, { apiKey: foreignKey })).status).toBe(200);
  });

  test.each(['a%2Fb', '%zz', '%00', '%23', 'resp_%25', '\'"', 'é', 'x'.repeat(5_000), 'resp_a%23b%231'])(
    'is a regular 404 for the unusual id %.12s',
    async (id) => {
      for (const [below, method] of routes) {
        const { status, text } = await ask(`${id}${below}`, { method });
        expect(status).toBe(404);
        expect(text.length).toBeLessThan(600);
        expect(JSON.parse(text)).toMatchObject({ error: { type: 'not_found_error', code: null } });
      }
    },
  );

  test('is no answer to an empty id either, which leaves the path of all responses', async () => {
    expect((await ask('')).status).toBe(405);
    expect((await ask('/input_items')).status).toBe(404);
  });
});

describe('access and methods', () => {
  test.each(routes)('no key, or a wrong one, is a 401 (%s %s)', async (below, method) => {
    const id = await store();
    const { status, text } = await ask(`${id}${below}`, { method, apiKey: 'missing' });
    expect(status).toBe(401);
    expect(text).not.toContain(id);
    expect((await ask(id)).status).toBe(200);
  });

  test.each([
    ['', 'GET, HEAD, DELETE', ['POST', 'PUT', 'PATCH', 'OPTIONS']],
    ['/input_items', 'GET, HEAD', ['POST', 'DELETE']],
  ] as const)('a wrong method gets all right ones in the error (%s: %s)', async (below, allow, methods) => {
    const id = await store();
    for (const method of methods) {
      const { status, headers } = await ask(`${id}${below}`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, allow]);
    }
  });

  test('a body and its content type are ignored', async () => {
    const id = await store();
    const body = '{"response_id":"resp_other"}';
    const { text } = await ask(id, { method: 'DELETE', body });
    expect(JSON.parse(text)).toMatchObject({ id, deleted: true });
  });

  test('a query cannot name another response than the path', async () => {
    const id = await store();
    const other = await store();
    const { text } = await ask(`${id}?response_id=${other}`);
    expect(JSON.parse(text)).toMatchObject({ id });
  });
});
