/** Bounds of the ledger and of the limits of tenants and keys. */
import { longestRequestMs } from '../../../lib/core/accounting/interrupted.ts';
import { maxRawUsageLength } from '../../../lib/metering/bill.ts';
import type { LimitArea } from './row.ts';

export const accountingLimits: LimitArea = {
  title: 'Ledger and limits',
  rows: [
    {
      what: 'Usage as the provider states it, of an attempt',
      limit: { maxRawUsageLength },
      file: 'lib/metering/bill.ts',
      unit: 'characters',
      onExceed: 'left out of the record',
    },
    {
      what: 'Time after which a request without a final record counts as interrupted',
      limit: { longestRequestMs },
      file: 'lib/core/accounting/interrupted.ts',
      unit: 'ms',
      onExceed: 'what it had reserved is counted',
    },
  ],
};
