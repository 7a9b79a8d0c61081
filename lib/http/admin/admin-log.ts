/** The one log line of a call of the dashboard: who, what and how it ended. Never a parameter, a body, a token or a name that people give. */
import type { AdminOperation } from '../../core/admin/admin-operations.ts';
import type { User } from '../../core/admin/user.ts';
import { timeOfRequest } from '../../core/names/request-id.ts';
import type { Log } from '../../core/ports/log.ts';
import { errorFields } from '../request-log.ts';
import type { Outcome } from '../streamed-body.ts';

interface AdminLogParts {
  readonly log: Log;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Called {
  readonly operation: AdminOperation;
  readonly requestId: string;
  readonly lambdaRequestId: string | undefined;
  readonly coldStart: boolean | undefined;
}

interface AdminLog {
  identify(user: User): void;
  finish(outcome: Outcome): void;
}

export function startAdminLog(called: Called, { log, now }: AdminLogParts): AdminLog {
  const { operation, requestId, lambdaRequestId, coldStart } = called;
  const startedAt = timeOfRequest(requestId) ?? now();
  let user: User | undefined;
  return {
    identify(found) {
      user = found;
    },
    finish({ status, error }) {
      log[status >= 500 ? 'error' : 'info']('request', {
        request_id: requestId,
        lambda_request_id: lambdaRequestId,
        cold_start: coldStart || undefined,
        operation: operation.name,
        status,
        user_id: user?.id,
        role: user?.role,
        tenant: user?.tenant,
        total_ms: now() - startedAt,
        ...errorFields(error),
      });
    },
  };
}
