/** Who a request comes from, and whether they may use its operation. */
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { ApiKey, FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import { authenticate, authorize } from '../../lib/http/authenticate.ts';
import { httpRequest } from '../harness/http-request.ts';

const secret = newApiKey();
const found: FoundApiKey = { id: 'key_1', hash: 'hash', tenant: 'acme' };
const known = async (given: string) => (given === secret ? found : undefined);

const requestWith = (headers: Readonly<Record<string, string>>) => httpRequest({ headers });

describe('a key', () => {
  test.each([
    ['authorization', `Bearer ${secret}`],
    ['authorization', `bearer   ${secret}  `],
    ['x-api-key', secret],
    ['api-key', ` ${secret} `],
  ])('is found in %s: %s', async (name, value) => {
    expect(await authenticate(requestWith({ other: 'x', [name]: value }), known)).toBe(found);
  });

  test.each([
    ['no header', { accept: 'x' }],
    ['another scheme', { authorization: `Basic ${secret}` }],
    ['no scheme', { authorization: secret }],
    ['no space', { authorization: `Bearer${secret}` }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['more than a key', { authorization: `Bearer ${secret} more` }],
    ['a word before it', { authorization: `My Bearer ${secret}` }],
    ['a malformed key', { authorization: 'Bearer sk-example' }],
    ['malformed keys alone', { 'x-api-key': 'sk-example', 'api-key': 'none' }],
    ['empty headers', { 'x-api-key': '', 'api-key': ' ' }],
    ['a scheme where there is none', { 'x-api-key': `Bearer ${secret}` }],
    ['two different keys', { authorization: `Bearer ${secret}`, 'x-api-key': newApiKey() }],
    ['two different keys alone', { 'api-key': secret, 'x-api-key': newApiKey() }],
  ])('is not looked for with %s', (_, headers) => {
    const asked: string[] = [];
    const ask = async (given: string) => {
      asked.push(given);
      return found;
    };
    expect(() => authenticate(requestWith(headers), ask)).toThrow(
      expect.objectContaining({ kind: 'invalid_api_key' }),
    );
    expect(asked).toEqual([]);
  });

  test.each([
    ['the same key', `Bearer ${secret}`],
    ['a placeholder', 'Bearer not-needed'],
    ['the credentials of a proxy', 'Basic dXNlcjpwYXNz'],
    ['nothing', ''],
  ])('alone is found beside %s in Authorization', async (_, authorization) => {
    const headers = { authorization, 'x-api-key': secret };
    expect(await authenticate(requestWith(headers), known)).toBe(found);
  });

  test('in Authorization is found beside a placeholder alone', async () => {
    const headers = { authorization: `Bearer ${secret}`, 'api-key': 'none', 'x-api-key': 'sk-example' };
    expect(await authenticate(requestWith(headers), known)).toBe(found);
  });

  test.each([
    [{ authorization: `Bearer ${secret}`, 'x-api-key': newApiKey() }, /^Several different API keys/],
    [{ authorization: 'Basic dXNlcjpwYXNz' }, /expected 'Bearer <API key>'/],
    [{ authorization: 'Basic dXNlcjpwYXNz', 'api-key': 'sk-example' }, /^Invalid API key/],
    [{ 'x-api-key': '' }, /^Missing API key/],
  ])('that cannot be read of %j is explained, and not shown', (headers, message) => {
    const problem = { status: 401, message: expect.stringMatching(message) };
    expect(() => authenticate(requestWith(headers), known)).toThrow(expect.objectContaining(problem));
    expect(() => authenticate(requestWith(headers), known)).toThrow(expect.not.stringContaining(secret));
  });

  test('that is not known is refused', async () => {
    const unknown = authenticate(requestWith({ authorization: `Bearer ${newApiKey()}` }), known);
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
