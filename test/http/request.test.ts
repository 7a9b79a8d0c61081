/** What is read of a request: its JSON body and its parameters. */
import { describe, expect, test } from 'vitest';
import { jsonBody, parameters } from '../../lib/http/request/request.ts';
import { httpRequest } from '../harness/http-request.ts';

const json = { 'content-type': 'application/json' };

const requestOf = (body: string | Buffer, headers: Readonly<Record<string, string>> = json) =>
  httpRequest({ body, headers });

function errorOf(request: ReturnType<typeof httpRequest>): unknown {
  try {
    jsonBody(request);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json ;charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
    'application/a-b.c+json',
  ])('may be %s', (type) => {
    expect(jsonBody(requestOf('{"a":1}', { 'content-type': type })).body).toEqual({ a: 1 });
  });

  test.each(['text/plain', 'application/jsonl', 'application/+json', 'text/application/json', ''])(
    'may not be "%s"',
    (type) => {
      expect(errorOf(requestOf('{}', { 'content-type': type }))).toMatchObject({
        kind: 'unsupported_media_type',
      });
    },
  );

  test('may not be absent', () => {
    expect(errorOf(requestOf('{}', {}))).toMatchObject({ status: 415 });
  });
});

describe('a body', () => {
  test('may come as bytes', () => {
    expect(jsonBody(requestOf(Buffer.from('{"a":"grüße"}'))).body).toEqual({ a: 'grüße' });
  });

  test.each([
    ['text that is no JSON', '{"a":', /valid JSON/],
    ['nothing', '', /empty/],
    ['a list', '[]', /object/],
    ['null', 'null', /object/],
    ['a text', '"a"', /object/],
    ['bytes that are no UTF-8', Buffer.of(0x7b, 0xff, 0x7d), /UTF-8/],
    ['no bytes', Buffer.of(), /empty/],
  ])('may not be %s', (_, body, message) => {
    const error = { kind: 'invalid_request', param: null, message: expect.stringMatching(message) };
    expect(errorOf(requestOf(body))).toMatchObject(error);
  });

  const nested = (levels: number, wrap: (inner: string) => string) => {
    let text = '1';
    for (let level = 0; level < levels; level += 1) text = wrap(text);
    return requestOf(`{"deep":${text}}`);
  };

  test.each<[string, (inner: string) => string]>([
    ['objects', (inner) => `{"a":${inner}}`],
    ['lists', (inner) => `[${inner}]`],
  ])('may be nested a hundred levels deep in %s', (_, wrap) => {
    expect(errorOf(nested(99, wrap))).toBeUndefined();
    expect(errorOf(nested(100, wrap))).toMatchObject({ kind: 'invalid_request', param: 'deep' });
  });

  test.each([
    ['{"__proto__":1}', '__proto__'],
    ['{"a":null,"b":[1,{"__proto__":{}}]}', 'b.1.__proto__'],
  ])('may not have the field of %s', (body, param) => {
    expect(errorOf(requestOf(body))).toMatchObject({ kind: 'invalid_request', param });
  });
});

describe('the parameters of a request without a body, as the SDKs write them,', () => {
  type Query = Readonly<Record<string, readonly string[]>>;
  const read = (query: Query, pathParameters = {}) => parameters(httpRequest({ query, pathParameters }));

  test.each<[string, Query, object]>([
    ['nothing', {}, {}],
    ['one value', { limit: ['5'] }, { limit: '5' }],
    ['a name that comes twice', { include: ['a', 'b'] }, { include: ['a', 'b'] }],
    ['brackets, which make a list of a single value, too', { 'include[]': ['a'] }, { include: ['a'] }],
    ['encoded brackets', { 'include%5B%5D': ['a'] }, { include: ['a'] }],
  ])('may be %s', (_what, query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  test('of its path override those of the query', () => {
    expect(read({ id: ['query'], more: ['yes'] }, { id: 'path' })).toEqual({ id: 'path', more: 'yes' });
  });
});
