/**
 * Authenticates the caller by the API key of the `Authorization` header (else 401), and checks their permission for an
 * operation (else 403). Permissions for models are checked later, when the models are known.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isWellFormedApiKey } from '../core/api-key.ts';
import { GatewayError, type SpecificCode } from '../core/errors.ts';
import type { Operation } from '../core/operations.ts';
import type { ApiKey, FindApiKey, FoundApiKey } from '../core/ports/api-keys.ts';
import { allowsOperation } from '../core/tenancy.ts';
import { header } from './request.ts';

/** Throws at once for text that cannot be a key; rejects for an unknown key. */
export function authenticate(event: APIGatewayProxyEvent, findApiKey: FindApiKey): Promise<FoundApiKey> {
  return findKey(readSecret(event), findApiKey);
}

function readSecret(event: APIGatewayProxyEvent): string {
  const authorization = header(event, 'authorization');
  if (authorization === undefined) {
    throw unauthorized("Missing API key: send it in the header 'Authorization: Bearer <API key>'.");
  }
  const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (secret === undefined) {
    throw unauthorized("Invalid Authorization header: expected 'Bearer <API key>'.");
  }
  if (!isWellFormedApiKey(secret))
    throw unauthorized(
      "Invalid API key: it is incomplete or mistyped. Keys of this gateway start with 'mgw_'.",
    );
  return secret;
}

async function findKey(secret: string, findApiKey: FindApiKey): Promise<FoundApiKey> {
  const key = await findApiKey(secret);
  if (!key) throw unauthorized('Invalid API key: it is unknown, disabled or expired.');
  return key;
}

export function authorize(
  { tenant, keyPolicy = {}, tenantPolicy = {} }: ApiKey,
  { name, method, path }: Operation,
): void {
  if (tenantPolicy.suspended)
    throw denied(
      `The tenant '${tenant}' is suspended. Contact the operator of this gateway.`,
      'tenant_suspended',
    );
  if (allowsOperation(keyPolicy, name) && allowsOperation(tenantPolicy, name)) return;
  throw denied(`This API key has no permission for ${method} ${path}.`, 'operation_not_allowed');
}

function denied(message: string, code: SpecificCode): GatewayError {
  return new GatewayError('permission_denied', message, { code });
}

function unauthorized(message: string): GatewayError {
  return new GatewayError('invalid_api_key', message);
}
