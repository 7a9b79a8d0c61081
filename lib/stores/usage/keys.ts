/** The keys of the usage table's items: of the ledger, its sums and its sweep. */
import { dayOf } from '../../core/accounting/counters.ts';

/** The stream of the table delivers the items whose partition starts so. */
export const ledgerPrefix = 'ledger#';

export { dayOf };
