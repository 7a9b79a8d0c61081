/** What the dashboard shows of a sign-in that failed, and what the operator's log has of it. */
import type { GatewayError } from '../../core/errors/errors.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { Log } from '../../core/ports/log.ts';
import type { SignInProblem } from './problems.ts';

export function problemOf({ kind, code }: GatewayError): SignInProblem {
  if (kind === 'sign_in_unavailable') return 'unavailable';
  return code === 'role_not_allowed' ? 'no_role' : 'failed';
}

/** The messages of the sign-in name settings and claims, and have no token in them. */
export function noteProblem(log: Log, error: GatewayError): void {
  log.warn('sign-in failed', { ...failureFields(error), reason: error.message });
}
