/** A request as API Gateway hands it over, and the id of Lambda. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { timeOfRequest, withTime } from '../../lib/core/names/request-id.ts';
import { requestOf } from '../../lib/http/lambda/event.ts';

const read = (fields: object) =>
  requestOf({
    requestContext: { path: '/prod/v1/models', identity: { sourceIp: '203.0.113.5' } },
    ...fields,
  } as unknown as APIGatewayProxyEvent);

test.each([
  [{ 'x-name': 'a', origin: 'c' }, 'a'],
  [{ 'X-Name': 'b', other: 'c' }, 'b'],
  [{ 'X-NAME': '1', 'x-name': '2', 'X-name': '3' }, '2'],
  [{ 'X-NAME': '1', 'X-name': '3' }, '1'],
  [{ other: 'c' }, undefined],
  [null, undefined],
])('of the headers %j the name says %s', (headers, expected) => {
  const { header } = read({ headers });
  expect(header('x-name')).toBe(expected);
  expect(header('constructor')).toBeUndefined();
});

test.each([
  [{ headers: { 'X-Name': 'b' }, multiValueHeaders: { 'X-Name': ['a', 'b'] } }, ['a', 'b']],
  [{ headers: { 'X-Name': 'b' }, multiValueHeaders: { 'X-Name': ['a'], 'x-name': ['b'] } }, ['a', 'b']],
  [{ headers: { 'X-Name': 'b' }, multiValueHeaders: null }, ['b']],
  [{ headers: { other: 'c' }, multiValueHeaders: { other: ['c'] } }, []],
])('of %j all values are %j', (fields, expected) => {
  expect(read(fields).headerValues('x-name')).toEqual(expected);
});

test.each([
  [{ body: '{}', isBase64Encoded: false }, '{}'],
  [{ body: Buffer.from('grüße').toString('base64'), isBase64Encoded: true }, Buffer.from('grüße')],
  [{ body: null, isBase64Encoded: false }, ''],
  [{ body: null, isBase64Encoded: true }, Buffer.of()],
])('the body of %j is read', (fields, expected) => {
  expect(read(fields).body).toEqual(expected);
});

test('a body that was read is no longer held by its event', () => {
  const event = { body: '{}', requestContext: { identity: {} } } as unknown as APIGatewayProxyEvent;
  const request = requestOf(event);
  expect(request.body).toBe('{}');
  request.leaveBody?.();
  expect([event.body, request.body]).toEqual([null, '']);
});

test('its method, path, parameters and address are those of the event', () => {
  const query = { a: ['1', '2'] };
  const fields = {
    httpMethod: 'GET',
    resource: '/v1/models/{id}',
    multiValueQueryStringParameters: query,
    pathParameters: { id: 'x' },
  };
  expect(read(fields)).toMatchObject({
    method: 'GET',
    path: '/prod/v1/models',
    template: '/v1/models/{id}',
    query,
    pathParameters: { id: 'x' },
    sourceIp: '203.0.113.5',
  });
  expect(read({ httpMethod: 'GET' })).toMatchObject({ query: {}, pathParameters: {} });
});

test('the id of a request is that of Lambda with its time in it', () => {
  const now = Date.parse('2026-11-22T12:00:00.123Z');
  const idOf = (awsRequestId: string) => withTime(awsRequestId, now);
  const id = idOf('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7b7e-9a55-0c3d8f6a1e2b$/);
  expect(timeOfRequest(id)).toBe(now);
  expect(idOf('lambda')).toBe('lambda');
  expect(timeOfRequest('9f4c7a52-3b1e-4b7e-9a55-0c3d8f6a1e2b')).toBeUndefined();
});
