/** A request as API Gateway hands it over: its JSON body, its headers, its parameters and its id. */
import { describe, expect, test } from 'vitest';
import { timeOfRequest } from '../../lib/core/names/request-id.ts';
import { header, jsonBody, parameters, requestIdOf } from '../../lib/http/request/request.ts';

type Event = Parameters<typeof jsonBody>[0];

const eventOf = (fields: object) =>
  ({
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    ...fields,
  }) as unknown as Event;

function errorOf(event: Event): unknown {
  try {
    jsonBody(event);
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
    expect(jsonBody(eventOf({ headers: { 'Content-Type': type }, body: '{"a":1}' })).body).toEqual({ a: 1 });
  });

  test.each(['text/plain', 'application/jsonl', 'application/+json', 'text/application/json', ''])(
    'may not be "%s"',
    (type) => {
      const event = eventOf({ headers: { 'content-type': type }, body: '{}' });
      expect(errorOf(event)).toMatchObject({ kind: 'unsupported_media_type' });
    },
  );

  test('may not be absent', () => {
    expect(errorOf(eventOf({ headers: null, body: '{}' }))).toMatchObject({ status: 415 });
  });
});

describe('a body', () => {
  const base64 = (bytes: Uint8Array | string) => ({
    isBase64Encoded: true,
    body: Buffer.from(bytes).toString('base64'),
  });

  test('may be in base64', () => {
    expect(jsonBody(eventOf(base64('{"a":"grüße"}'))).body).toEqual({ a: 'grüße' });
  });

  test.each([
    ['text that is no JSON', { body: '{"a":' }, /valid JSON/],
    ['nothing', { body: null }, /empty/],
    ['a list', { body: '[]' }, /object/],
    ['null', { body: 'null' }, /object/],
    ['a text', { body: '"a"' }, /object/],
    ['bytes that are no UTF-8', base64(Uint8Array.of(0x7b, 0xff, 0x7d)), /UTF-8/],
    ['nothing in base64', { isBase64Encoded: true, body: null }, /empty/],
  ])('may not be %s', (_, fields, message) => {
    const error = { kind: 'invalid_request', param: null, message: expect.stringMatching(message) };
    expect(errorOf(eventOf(fields))).toMatchObject(error);
  });

  const nested = (levels: number, wrap: (inner: string) => string) => {
    let text = '1';
    for (let level = 0; level < levels; level += 1) text = wrap(text);
    return eventOf({ body: `{"deep":${text}}` });
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
    expect(errorOf(eventOf({ body }))).toMatchObject({ kind: 'invalid_request', param });
  });
});

test.each([
  [{ 'x-name': 'a', origin: 'c' }, 'a'],
  [{ 'X-Name': 'b', other: 'c' }, 'b'],
  [{ 'X-NAME': '1', 'x-name': '2', 'X-name': '3' }, '2'],
  [{ 'X-NAME': '1', 'X-name': '3' }, '1'],
  [{ other: 'c' }, undefined],
  [null, undefined],
])('of the headers %j the name says %s', (headers, expected) => {
  expect(header(eventOf({ headers }), 'x-name')).toBe(expected);
  expect(header(eventOf({ headers }), 'constructor')).toBeUndefined();
});

describe('the parameters of a request without a body, as the SDKs and API Gateway write them,', () => {
  const read = (multiValueQueryStringParameters: object | null, pathParameters: object | null = null) =>
    parameters(eventOf({ multiValueQueryStringParameters, pathParameters }));

  test.each([
    ['nothing', null, {}],
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

test('the id of a request is that of Lambda with its time in it', () => {
  const now = Date.parse('2026-11-22T12:00:00.123Z');
  const idOf = (awsRequestId: string) =>
    requestIdOf({ awsRequestId } as Parameters<typeof requestIdOf>[0], now);
  const id = idOf('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7b7e-9a55-0c3d8f6a1e2b$/);
  expect(timeOfRequest(id)).toBe(now);
  expect(idOf('lambda')).toBe('lambda');
  expect(timeOfRequest('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b')).toBeUndefined();
});
