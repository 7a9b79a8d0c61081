/** Bounds of the ledger and of the limits of tenants and keys. */
import { longestRequestMs, surelyOverMs } from '../../../lib/core/accounting/interrupted.ts';
import { maxAlertsPerHour } from '../../../lib/metering/alerts/deliver.ts';
import { maxRawUsageLength } from '../../../lib/metering/cost/bill.ts';
import { maxKeptRefusals, refusalKeptMs } from '../../../lib/metering/limits/refused-lately.ts';
import { maxRecordsRead } from '../../../lib/metering/stranded/repair-limits.ts';
import { maxCachedKeys, maxUnknownKeys } from '../../../lib/stores/access/find-api-key.ts';
import { webhookTimeoutMs } from '../../../lib/transport/webhook-poster.ts';
import type { LimitArea } from './row.ts';

export const accountingLimits: LimitArea = {
  title: 'Ledger and limits',
  rows: [
    {
      what: 'Usage as the provider states it, of an attempt',
      limit: { maxRawUsageLength },
      file: 'lib/metering/cost/bill.ts',
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
    {
      what: 'Time after which a request has ended for certain, whatever the clocks',
      limit: { surelyOverMs },
      file: 'lib/core/accounting/interrupted.ts',
      unit: 'ms',
      onExceed: 'what it holds without a record is freed',
    },
    {
      what: 'Records that the aggregator reads to free what crashes have left in limits',
      limit: { maxRecordsRead },
      file: 'lib/metering/stranded/repair-limits.ts',
      unit: 'count',
      onExceed: 'left to `limits check`',
    },
    {
      what: 'Alerts of one kind of scope (tenant, key, user) of a tenant in an hour',
      limit: { maxAlertsPerHour },
      file: 'lib/metering/alerts/deliver.ts',
      unit: 'count',
      onExceed: 'one notice; the others are only in the log',
    },
    {
      what: 'An attempt to post an alert to a webhook',
      limit: { webhookTimeoutMs },
      file: 'lib/transport/webhook-poster.ts',
      unit: 'ms',
      onExceed: 'tried again, twice',
    },
    {
      what: 'Time for which a process repeats that a limit is used up, without reading it',
      limit: { refusalKeptMs },
      file: 'lib/metering/limits/refused-lately.ts',
      unit: 'ms',
      onExceed: 'the limit is read again',
    },
    {
      what: 'Refusals that a process keeps for that',
      limit: { maxKeptRefusals },
      file: 'lib/metering/limits/refused-lately.ts',
      unit: 'count',
      onExceed: 'all of them are forgotten',
    },
    {
      what: 'Keys that a process remembers, for five seconds',
      limit: { maxCachedKeys },
      file: 'lib/stores/access/find-api-key.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Unknown keys with a right checksum that it remembers beside them',
      limit: { maxUnknownKeys },
      file: 'lib/stores/access/find-api-key.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
  ],
};
