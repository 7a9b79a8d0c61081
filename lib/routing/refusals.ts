/** Failures that are about the request itself. */
import type { ErrorKind } from '../core/errors/error-kinds.ts';
import type { GatewayError } from '../core/errors/errors.ts';

/** Refusals of the request: a fallback that cannot serve it says nothing about why the primary did not. */
export const refusals: readonly ErrorKind[] = [
  'invalid_request',
  'unsupported_operation',
  'upstream_bad_request',
  'upstream_context_length',
  'upstream_content_policy',
];

export const isRefusal = ({ kind }: GatewayError): boolean => refusals.includes(kind);
