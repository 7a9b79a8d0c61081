/**
 * Authenticates the caller by the API key of the `Authorization`, `x-api-key` or `api-key` header (else 401), and checks their
 * permission for an operation (else 403). Permissions for models are checked later, when the models are known.
 */
import { GatewayError, type SpecificCode } from '../core/errors/errors.ts';
import { isWellFormedApiKey } from '../core/names/api-key.ts';
import type { Operation } from '../core/operations.ts';
import type { ApiKey, FindApiKey, FoundApiKey } from '../core/ports/api-keys.ts';
import { allowsOperation } from '../core/tenancy.ts';
import type { HttpRequest } from './request/http-request.ts';

/** Throws at once for text that cannot be a key; rejects for an unknown key. */
export function authenticate(request: HttpRequest, findApiKey: FindApiKey): Promise<FoundApiKey> {
  return findKey(readSecret(request), findApiKey);
}

/** The headers in which clients send their key alone, beside `Authorization: Bearer`. */
export const keyHeaders = ['x-api-key', 'api-key'] as const;

/**
 * A header that holds no key of this gateway is ignored if another one does: clients send placeholders, and a proxy may need
 * `Authorization` for itself. Two different keys are refused, since it is not known who the caller means to be.
 */
function readSecret(request: HttpRequest): string {
  const authorization = request.header('authorization');
  const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  let secret: string | undefined;
  let isGiven = false;
  for (const text of [bearer, ...keyHeaders.map((name) => request.header(name)?.trim() ?? '')]) {
    isGiven ||= text !== '';
    if (text === secret || !isWellFormedApiKey(text)) continue;
    if (secret !== undefined)
      throw unauthorized(
        "Several different API keys: send one, in the header 'Authorization: Bearer <API key>', 'x-api-key' or 'api-key'.",
      );
    secret = text;
  }
  if (secret === undefined) throw withoutKey(authorization, isGiven);
  return secret;
}

/** `isGiven`: there is text where a key belongs. */
function withoutKey(authorization: string | undefined, isGiven: boolean): GatewayError {
  if (isGiven)
    return unauthorized(
      "Invalid API key: it is incomplete or mistyped. Keys of this gateway start with 'mgw_'.",
    );
  if (authorization === undefined)
    return unauthorized("Missing API key: send it in the header 'Authorization: Bearer <API key>'.");
  return unauthorized("Invalid Authorization header: expected 'Bearer <API key>'.");
}

async function findKey(secret: string, findApiKey: FindApiKey): Promise<FoundApiKey> {
  const key = await findApiKey(secret);
  if (!key) throw unauthorized('Invalid API key: it is unknown, disabled or expired.');
  return key;
}

export function authorize(
  { tenant, keyPolicy = {}, tenantPolicy = {} }: ApiKey,
  { name, method, path, authenticated }: Operation,
): void {
  if (tenantPolicy.suspended)
    throw denied(
      `The tenant '${tenant}' is suspended. Contact the operator of this gateway.`,
      'tenant_suspended',
    );
  // What anyone may do without a key needs no permission.
  if (!authenticated || (allowsOperation(keyPolicy, name) && allowsOperation(tenantPolicy, name))) return;
  throw denied(`This API key has no permission for ${method} ${path}.`, 'operation_not_allowed');
}

function denied(message: string, code: SpecificCode): GatewayError {
  return new GatewayError('permission_denied', message, { code });
}

function unauthorized(message: string): GatewayError {
  return new GatewayError('invalid_api_key', message);
}
