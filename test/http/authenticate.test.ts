/** Who a request comes from, and whether they may use its operation. */
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/api-key.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { ApiKey, FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import { authenticate, authorize } from '../../lib/http/authenticate.ts';

type Event = Parameters<typeof authenticate>[0];

const secret = newApiKey();
const found: FoundApiKey = { id: 'key_1', hash: 'hash', tenant: 'acme' };
const known = async (given: string) => (given === secret ? found : undefined);

const eventWith = (headers: Record<string, string> | null) => ({ headers }) as unknown as Event;

describe('a key', () => {
  test.each([
    ['authorization', `Bearer ${secret}`],
    ['Authorization', `Bearer ${secret}`],
    ['AUTHORIZATION', `bearer   ${secret}  `],
  ])('is found in %s: %s', async (name, value) => {
    expect(await authenticate(eventWith({ other: 'x', [name]: value }), known)).toBe(found);
  });

  test.each([
    ['no headers', null],
    ['no header', { accept: 'x' }],
    ['another scheme', { authorization: `Basic ${secret}` }],
    ['no scheme', { authorization: secret }],
    ['no space', { authorization: `Bearer${secret}` }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['more than a key', { authorization: `Bearer ${secret} more` }],
    ['a word before it', { authorization: `My Bearer ${secret}` }],
    ['a malformed key', { authorization: 'Bearer sk-example' }],
  ])('is not looked for with %s', (_, headers) => {
    const asked: string[] = [];
    const ask = async (given: string) => {
      asked.push(given);
      return found;
    };
    expect(() => authenticate(eventWith(headers), ask)).toThrow(
      expect.objectContaining({ kind: 'invalid_api_key' }),
    );
    expect(asked).toEqual([]);
  });

  test('that is not known is refused', async () => {
    const unknown = authenticate(eventWith({ authorization: `Bearer ${newApiKey()}` }), known);
    await expect(unknown).rejects.toMatchObject({ kind: 'invalid_api_key', status: 401 });
  });
});

describe('an operation', () => {
  const operation = operationNamed('embeddings');
  const codeOf = (key: Partial<ApiKey>) => {
    try {
      authorize({ id: 'key_1', tenant: 'acme', ...key }, operation);
      return 'allowed';
    } catch (error) {
      expect(error).toMatchObject({ kind: 'permission_denied', status: 403 });
      return (error as { code: string }).code;
    }
  };

  test.each<[string, Partial<ApiKey>, string]>([
    ['nothing is restricted', {}, 'allowed'],
    ['key and tenant may use it', both(['embeddings'], ['embeddings', 'responses']), 'allowed'],
    ['the key may not', both(['responses'], ['embeddings']), 'operation_not_allowed'],
    ['the tenant may not', both(['embeddings'], ['responses']), 'operation_not_allowed'],
    ['the tenant is suspended', { tenantPolicy: { suspended: true } }, 'tenant_suspended'],
  ])('where %s', (_, key, expected) => {
    expect(codeOf(key)).toBe(expected);
  });

  function both(
    ofKey: readonly ('embeddings' | 'responses')[],
    ofTenant: readonly ('embeddings' | 'responses')[],
  ): Partial<ApiKey> {
    return { keyPolicy: { operations: ofKey }, tenantPolicy: { operations: ofTenant } };
  }
});
