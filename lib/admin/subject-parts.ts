/** What the operations of tenants and keys work with. */
import type { Journal } from '../core/accounting/journal.ts';
import type { LimitStore } from '../core/accounting/limits.ts';
import type { UsageStore } from '../core/ports/usage-store.ts';
import type { KeyEdits } from '../stores/access/key-edits.ts';
import type { TenantEdits } from '../stores/access/tenant-edits.ts';
import type { TenantStore } from '../stores/access/tenants.ts';
import type { AuditParts } from './audit/record-change.ts';

export interface SubjectParts extends AuditParts {
  readonly keyEdits: KeyEdits;
  readonly tenants: Pick<TenantStore, 'find' | 'create' | 'replacePricing' | 'replaceGrants'>;
  readonly tenantEdits: TenantEdits;
  readonly usage: Pick<UsageStore, 'counters'>;
  readonly limits: Pick<LimitStore, 'read' | 'seed'>;
  readonly journal: Pick<Journal, 'adjust' | 'adjustments'>;
  /** Why alerts may not be posted to a URL; undefined if they may. */
  readonly webhookProblem: (url: string) => Promise<string | undefined>;
}
