/** The ledger of the gateway of a test file, with models of the file's own in its catalog. Each test has a caller of its own. */
import { beforeAll, beforeEach } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { use } from './use.ts';

interface UsedLedger {
  readonly ledger: Ledger;
  /** For `x-gateway-user-id`. */
  readonly caller: string;
}

/** Call it after what starts the gateway. */
export function useLedger(rows: () => readonly object[]): UsedLedger {
  const ledger = use(() => openLedger());
  let callers = 0;
  beforeAll(async () => {
    const catalog = createCatalogStore({ call: ledger.call, table: 'catalog' });
    for (const row of rows()) await catalog.put(row, { source: 'operator' });
  });
  beforeEach(() => {
    callers += 1;
  });
  return {
    ledger,
    get caller() {
      return `caller-${callers}`;
    },
  };
}
