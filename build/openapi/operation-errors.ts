/** Which errors an operation can answer with, by status. */
import { anthropicMeaning } from '../../lib/core/errors/anthropic-error.ts';
import { type ErrorKind, errorKinds } from '../../lib/core/errors/error-kinds.ts';
import type { Operation } from '../../lib/core/operations.ts';
import { reference } from './reference.ts';

/** None is an answer of such an operation: a method that the path does not accept, a client that has left, a change in the dashboard. */
const ofNone: readonly ErrorKind[] = [
  'method_not_allowed',
  'client_closed',
  'conflict',
  'sign_in_unavailable',
];

const ofKeys: readonly ErrorKind[] = ['invalid_api_key', 'permission_denied'];
const ofBodies: readonly ErrorKind[] = ['payload_too_large', 'unsupported_media_type'];
const ofModels: readonly ErrorKind[] = [
  'unsupported_operation',
  'insufficient_quota',
  'model_not_found',
  'deadline_exceeded',
];

/** The kinds of an operation, by their statuses, in rising order. */
export function errorsOf(operation: Operation): ReadonlyMap<number, readonly ErrorKind[]> {
  const kinds = (Object.keys(errorKinds) as ErrorKind[]).filter((kind) => isOf(operation, kind));
  const statusOf = (kind: ErrorKind) => meaningFor(operation, kind).status;
  const statuses = [...new Set(kinds.map(statusOf))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, kinds.filter((kind) => statusOf(kind) === status)]));
}

/** The status and the type of a kind in the form of an operation's errors. */
export const meaningFor = ({ errors }: Operation, kind: ErrorKind) =>
  errors === 'anthropic' ? anthropicMeaning(kind) : errorKinds[kind];

function isOf({ name, authenticated, endpoint, path }: Operation, kind: ErrorKind): boolean {
  if (ofNone.includes(kind)) return false;
  if (ofKeys.includes(kind)) return authenticated;
  if (ofBodies.includes(kind)) return reference[name].request !== undefined;
  if (kind === 'range_not_satisfiable') return reference[name].isBytes === true;
  if (kind === 'not_found') return path.includes('{');
  return endpoint !== undefined || !(ofModels.includes(kind) || kind.startsWith('upstream_'));
}
