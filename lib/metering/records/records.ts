/** Reads all ledger records of a tenant, page by page. */
import type { LedgerRecord } from '../../core/accounting/ledger.ts';
import type { Span, UsageStore } from '../../core/ports/usage-store.ts';

const pageSize = 500;

export async function* recordsOf(
  usage: Pick<UsageStore, 'records'>,
  tenant: string,
  span: Span,
): AsyncGenerator<LedgerRecord> {
  let after: string | undefined;
  do {
    const page = await usage.records(tenant, { ...span, limit: pageSize, after });
    yield* page.records;
    after = page.after;
  } while (after !== undefined);
}
