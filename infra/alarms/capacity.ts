/** Alarms about what Lambda and the tables can take. */
import type { AlarmRow } from './row.ts';

const everywhere = ['event', 'web', 'fargate'] as const;

export const capacityAlarms: readonly AlarmRow[] = [
  {
    name: 'ThrottledRequests',
    title: 'Lambda refuses requests',
    hosts: ['event', 'web'],
    watch: { all: 'throttledCalls' },
    threshold: 1,
    isAtLeast: true,
    unit: 'count',
    minutes: 1,
    late: 2,
    periods: 5,
    means:
      'Lambda refused to run a function for a request: the concurrency of the account or of the function is used up, or grows too fast.',
    affects: 'Callers who got a 503 with `Retry-After`, without a line in the log of a function.',
    steps: [
      'Compare the concurrency of the account on the dashboard with its quota (Service Quotas, L-B99A9384). New accounts may have ten.',
      'Ask for a higher quota. AWS grants tens of thousands.',
      'The quota is free: a reserved concurrency is used up; raise or remove it (`reservedConcurrency`).',
      'A jump of traffic: Lambda adds 1,000 environments of a function in ten seconds; provisioned concurrency (`provisioned`) is there before.',
    ],
  },
  {
    name: 'FunctionErrors',
    title: 'Functions end without an answer',
    hosts: ['event', 'web'],
    watch: { all: 'functionErrors' },
    threshold: 1,
    isAtLeast: true,
    unit: 'count',
    minutes: 5,
    late: 1,
    periods: 1,
    means:
      'A function that generates ended without an answer: out of memory, out of time, or it did not start. The functions answer their own errors, so each is a fault.',
    affects: 'Callers whose request or stream was cut off. Its record is finished by the aggregator later.',
    steps: [
      'Search the log for "Task timed out", "Runtime exited" and "signal: killed".',
      'Out of memory: deploy with a larger `memory`; 512 holds the largest request.',
      'It does not start: a deployment is wrong; deploy the version before.',
    ],
  },
  {
    name: 'Concurrency',
    title: 'The concurrency of the account is nearly used up',
    hosts: ['event', 'web'],
    watch: { share: 'concurrency', of: 'concurrencyQuota', least: 0 },
    threshold: 80,
    unit: 'percent',
    minutes: 1,
    late: 3,
    periods: 5,
    means:
      'All functions of the account in this region together use more than 80 % of their quota, as the setting `concurrencyQuota` has it.',
    affects: 'No caller yet. At 100 % requests are refused, also of other applications of the account.',
    steps: [
      'Ask for a higher quota in Service Quotas (L-B99A9384), and set `concurrencyQuota` to it.',
      'Find which function grows: the widget on concurrency shows the account, the console each function.',
      'Long streams keep an environment each: Web Functions or Fargate serve many in one process (docs/operate/hosts.md).',
    ],
  },
  {
    name: 'TableThrottles',
    title: 'A table refuses reads or writes',
    hosts: everywhere,
    watch: { all: 'tableThrottles' },
    threshold: 10,
    unit: 'count',
    minutes: 5,
    late: 2,
    periods: 3,
    means:
      'DynamoDB refused reads or writes as too many: a table grows faster than it adapts, or one key is too hot.',
    affects:
      'First no one: calls are repeated. Then requests are slower, limits let requests pass unchecked or refuse them, and records are written late.',
    steps: [
      'The dashboard shows which table.',
      '"usage": a tenant with more than 1,000 requests a second on one key needs a larger throughput (`npm run gateway -- tenants set-throughput`).',
      'After a jump of traffic it adapts within minutes; before a launch, warm the table up.',
      'Above 40,000 units a second: ask for a higher quota of the table.',
    ],
  },
  {
    name: 'TableErrors',
    title: 'DynamoDB has faults',
    hosts: everywhere,
    watch: { all: 'tableErrors' },
    threshold: 5,
    unit: 'count',
    minutes: 5,
    late: 2,
    periods: 3,
    means: 'DynamoDB answered calls of the gateway with faults of its own.',
    affects:
      'Requests are slower or fail with a 500 or 503. Keys that were read lately work for five minutes longer.',
    steps: [
      'Look at the AWS Health Dashboard of the region.',
      'Nothing can be done here while it lasts. Afterwards look for lost records, and restore them: `npm run gateway -- usage replay`.',
    ],
  },
];
