/** Alarms about the records of requests, their sums, and what is made of them. */
import { linesOf } from './queries.ts';
import { type AlarmRow, above, atLeast, once } from './row.ts';

export const ledgerAlarms: readonly AlarmRow[] = [
  {
    name: 'LostUsageRecords',
    title: 'A record of a request is only in the log',
    watch: { all: 'LostUsageRecords' },
    ...once(5),
    means:
      'A request was served, and its record could not be written to the table. The log line holds all of it.',
    affects: 'The bill and the budgets of the tenant lack the request until the record is restored.',
    steps: [
      'Look at the throttles and errors of the table "usage" on the dashboard.',
      'When the table works again, restore the records from the log, before its retention ends: `npm run gateway -- usage replay`.',
    ],
    query: linesOf('usage record lost', 'request_id', 'reason'),
  },
  {
    name: 'AggregatorAge',
    title: 'The sums are behind',
    watch: { all: 'aggregatorAge' },
    ...above(600_000, 'milliseconds', 3, 3, 5),
    means: 'The aggregator is more than ten minutes behind the ledger. After 20 hours it gives a batch up.',
    affects: 'Usage and bills show less than was used, and budgets refuse too late. No request fails.',
    steps: [
      'Run the query on the log of the aggregator: a batch that fails comes again and holds up what follows.',
      'No failed batches: it has more work than it can do. Look at the throttles of the table "usage" and at its own throttles.',
      'After a deployment: deploy the version before.',
    ],
    query: linesOf('aggregation failed', 'changes', 'reason'),
  },
  {
    name: 'AggregatorIdle',
    title: 'The aggregator is not invoked',
    watch: { none: 'aggregations', although: 'ModelRequests' },
    ...atLeast(1, 2, 2, 15),
    means:
      'Requests were served for half an hour, and the aggregator did not run. After 24 hours the stream of the ledger has lost changes.',
    affects: 'Usage and bills show less than was used, and budgets refuse too late. No request fails.',
    steps: [
      'See what is wrong: `npm run gateway -- check` names the state of its event source mapping.',
      'Enable a mapping that is disabled, and remove a reserved concurrency of 0.',
      'Deploy again, if its role may not read the stream.',
      'More than 24 hours: compute the sums from the records: `npm run gateway -- usage reconcile`.',
    ],
  },
  {
    name: 'FailedBatches',
    title: 'The aggregator gave changes up',
    watch: { all: 'failedBatches' },
    ...once(15),
    means:
      'Changes of the ledger failed for 20 hours, and are named in a queue. The records themselves are in the table.',
    affects:
      'Sums of the days that the messages name are too low, and limits hold back what those requests reserved.',
    steps: [
      'Read a message of the queue: it names the shard and the sequence numbers, for 14 days.',
      'Find why the batch failed in the log of the aggregator, and repair that.',
      'Compute the sums again from the records: `npm run gateway -- usage reconcile`; then delete the messages.',
    ],
    query: linesOf('aggregation failed', 'changes', 'reason'),
  },
  {
    name: 'UnreadableLedgerItems',
    title: 'The sums lack records',
    watch: { all: 'UnreadableLedgerItems' },
    ...once(15),
    means: 'The aggregator met records that it cannot read, as of a later version of the gateway.',
    affects: 'Sums lack these records until they are computed again.',
    steps: [
      'Deploy the version that wrote them.',
      'Compute the sums again: `npm run gateway -- usage reconcile`.',
    ],
    query: linesOf('ledger items unreadable', 'count', 'reason'),
  },
  {
    name: 'FailedExports',
    title: 'The daily export failed',
    isOf: 'export',
    watch: { all: 'FailedExports' },
    ...once(60),
    means: 'The export of a day failed. Each is tried twice more.',
    affects: 'Readers of the bucket: the day is missing or incomplete there. No request fails.',
    steps: [
      'Run the query on the log of the export: a refused write means the policy of the bucket or its key.',
      'When it is repaired, invoke the function of the output with `{"day": "2026-11-21"}`.',
    ],
    query: linesOf('export failed', 'reason'),
  },
  {
    name: 'ExportErrors',
    title: 'The daily export was cut off',
    isOf: 'export',
    watch: { all: 'exportErrors' },
    ...once(60),
    means:
      'The function of the export ended before its work: it ran out of its 15 minutes or of memory, or it threw.',
    affects: 'Readers of the bucket: the day is missing or incomplete there.',
    steps: [
      'Look at the last lines of its log: Lambda writes there that time or memory ran out.',
      'Export the day by tenant from a machine of yours: `npm run gateway -- usage export`.',
    ],
  },
];
