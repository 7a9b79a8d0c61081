/** An operation as a function of a user and an input, served over HTTP, and what those of tenants and keys work with. The command line calls the same functions. */

import type * as z from 'zod/mini';
import type { Journal } from '../core/accounting/journal.ts';
import type { LimitStore } from '../core/accounting/limits.ts';
import type { AdminEndpoint } from '../core/admin/admin-endpoint.ts';
import type { User } from '../core/admin/user.ts';
import type { SumsStore } from '../core/ports/sums-store.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import type { KeyEdits } from '../stores/access/key-edits.ts';
import type { TenantEdits } from '../stores/access/tenant-edits.ts';
import type { TenantStore } from '../stores/access/tenants.ts';
import type { HostStore } from '../stores/catalog/hosts.ts';
import type { AuditParts } from './audit/record-change.ts';
import { expectedState } from './etag.ts';

export interface SubjectParts extends AuditParts {
  readonly keyEdits: KeyEdits;
  readonly tenants: Pick<TenantStore, 'find' | 'create' | 'replacePricing' | 'replaceGrants'>;
  readonly tenantEdits: TenantEdits;
  readonly usage: Pick<UsageStore, 'counters'>;
  readonly limits: Pick<LimitStore, 'read' | 'readMany' | 'seed'>;
  readonly sums: SumsStore;
  /** Those that an operator has added. */
  readonly hosts: Pick<HostStore, 'get'>;
  readonly journal: Journal;
  /** Why alerts may not be posted to a URL; undefined if they may. */
  readonly webhookProblem: (url: string) => Promise<string | undefined>;
}

type Schema = z.core.$ZodType;

/** `input`: of body, path and query together. `ifMatch`: the state that a change was made for. */
export function endpointOf<Parts, Parameters extends Schema, Body extends Schema>(
  parts: Parts,
  parameters: Parameters,
  body: Body,
  run: (
    parts: Parts,
    user: User,
    input: z.core.output<Parameters> & z.core.output<Body>,
    ifMatch: string | undefined,
    signal: AbortSignal,
  ) => Promise<object>,
): AdminEndpoint<Parameters, Body> {
  return {
    parameters,
    body,
    async answer({ user, header, signal, ...call }) {
      const input = Object.assign({}, call.body, call.parameters);
      const answer = await run(parts, user, input, expectedState(header), signal);
      const tag =
        'etag' in answer && typeof answer.etag === 'string' ? { headers: { etag: answer.etag } } : {};
      return { type: 'json', body: answer, ...tag };
    },
  };
}
