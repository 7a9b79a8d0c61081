/** The answers of API Gateway itself: the table is consistent, and the stack deploys exactly this table. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { gatewayResponseBody, gatewayResponses } from '../../server/http/gateway-responses.ts';
import { readStack } from './read-template.ts';

const find = (type: string) => gatewayResponses.find((response) => response.type === type);

describe('the table', () => {
  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not_found_error', null],
    ['THROTTLED', 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['REQUEST_TOO_LARGE', 413, 'invalid_request_error', 'request_too_large'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'invalid_request_error', 'unsupported_media_type'],
    ['INTEGRATION_FAILURE', 503, 'service_unavailable_error', null],
    ['DEFAULT_5XX', 500, 'internal_server_error', null],
    ['INTEGRATION_TIMEOUT', 503, 'service_unavailable_error', 'gateway_timeout'],
  ])('%s is a %i %s', (type, status, errorType, code) => {
    expect(find(type)).toMatchObject({ status, errorType, code });
  });

  test.each(gatewayResponses)('$type has what the SDKs of both families read', (response) => {
    expect(JSON.parse(gatewayResponseBody(response, 'request-1'))).toEqual({
      type: 'error',
      error: { message: response.message, type: response.errorType, param: null, code: response.code },
      request_id: 'request-1',
    });
    expect(response.message).not.toBe('');
    // None of it has a meaning in a mapping template.
    expect(response.message).not.toMatch(/[$#\\]/);
  });

  test('a 429, and a function that could not run, have Retry-After in whole seconds', () => {
    const waiting = gatewayResponses.filter(
      ({ type, status }) => status === 429 || type === 'INTEGRATION_FAILURE',
    );
    for (const { headers } of waiting) expect(headers?.['Retry-After']).toMatch(/^[1-9][0-9]*$/);
  });

  test('agrees with the answers of the functions to the same failures', () => {
    const same = [
      ['REQUEST_TOO_LARGE', 'payload_too_large'],
      ['UNSUPPORTED_MEDIA_TYPE', 'unsupported_media_type'],
      ['THROTTLED', 'rate_limited'],
      ['UNAUTHORIZED', 'invalid_api_key'],
      ['ACCESS_DENIED', 'permission_denied'],
      ['MISSING_AUTHENTICATION_TOKEN', 'not_found'],
      ['DEFAULT_5XX', 'internal'],
    ] as const;
    for (const [type, kind] of same) {
      const { status, type: errorType, code } = new GatewayError(kind, '');
      expect(find(type)).toMatchObject({ status, errorType, code });
    }
  });
});

describe('the stack', () => {
  const deployed = readStack().propertiesOf('AWS::ApiGateway::GatewayResponse');

  test.each(gatewayResponses)('answers $type as in the table', (response) => {
    const found = deployed.filter(({ ResponseType }) => ResponseType === response.type);
    expect(found).toHaveLength(1);
    expect(found[0]?.ResponseTemplates).toEqual({
      'application/json': gatewayResponseBody(response, '$context.requestId'),
    });
    const isDefault = response.type.startsWith('DEFAULT_');
    expect(found[0]?.StatusCode).toBe(isDefault ? undefined : String(response.status));
    expect(found[0]?.ResponseParameters).toMatchObject({
      'gatewayresponse.header.x-request-id': 'context.requestId',
      'gatewayresponse.header.request-id': 'context.requestId',
      ...(response.headers?.['Retry-After'] && {
        'gatewayresponse.header.Retry-After': `'${response.headers['Retry-After']}'`,
      }),
    });
  });

  test('has no answer that is not in the table', () => {
    expect(deployed).toHaveLength(gatewayResponses.length);
  });
});
