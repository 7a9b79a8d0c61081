/** Which errors an operation of the dashboard's API can answer with, by status. */
import type { AdminOperation } from '../../../lib/core/admin/admin-operations.ts';
import { type ErrorKind, errorKinds } from '../../../lib/core/errors/error-kinds.ts';
import type { SpecificCode } from '../../../lib/core/errors/errors.ts';
import type { AdminReference } from './admin-reference.ts';

export interface AdminError {
  readonly kind: ErrorKind;
  readonly code: SpecificCode | string | null;
}

export function adminErrorsOf(
  { roles, path, method, keepsAnswer }: AdminOperation,
  { takesIfMatch, body }: AdminReference,
): ReadonlyMap<number, readonly AdminError[]> {
  const opensSession = path.endsWith('/session');
  const needsCaller = roles !== undefined || (opensSession && method === 'POST');
  const all: readonly (AdminError | false)[] = [
    error('invalid_request'),
    needsCaller && error('invalid_api_key', 'signed_out'),
    roles !== undefined && error('permission_denied', 'role_not_allowed'),
    needsCaller && error('permission_denied', 'operation_not_allowed'),
    error('permission_denied', 'cross_site'),
    (path.includes('{') || roles !== undefined) && error('not_found'),
    keepsAnswer === true && error('invalid_request', 'idempotency_key_reused'),
    (takesIfMatch === true || keepsAnswer === true) && error('conflict'),
    keepsAnswer === true && error('idempotency_in_progress'),
    body !== undefined && error('payload_too_large'),
    body !== undefined && error('unsupported_media_type'),
    error('internal'),
    roles !== undefined && error('sign_in_unavailable'),
  ];
  const found = all.filter((one) => one !== false);
  return Map.groupBy(found, ({ kind }) => errorKinds[kind].status);
}

const error = (kind: ErrorKind, code: AdminError['code'] = errorKinds[kind].code): AdminError => ({
  kind,
  code,
});
