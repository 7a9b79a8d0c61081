/** Alarms about the dashboard and its admin API. */
import { failedAdminRequests } from './queries.ts';
import type { AlarmRow } from './row.ts';

export const adminAlarms: readonly AlarmRow[] = [
  {
    name: 'AdminServerErrors',
    title: 'The dashboard fails',
    hosts: ['event', 'web', 'fargate'],
    isOf: 'dashboard',
    watch: { all: 'adminServerErrors' },
    threshold: 5,
    isAtLeast: true,
    // A page makes few requests, so a share of them would say little.
    unit: 'count',
    minutes: 15,
    late: 1,
    periods: 1,
    means: 'The admin API gave at least five answers with a status of 500 or more in fifteen minutes.',
    affects:
      'People who use the dashboard, and the command line with `--url`. No request of a caller fails by this.',
    steps: [
      'Run the query on the logs of the functions of the admin stack: it names the operation and the error.',
      'No lines at all: Lambda refused or ended the functions; see the log of Lambda in the same groups.',
      'After a deployment: deploy the version before. Until then the command line works without `--url`.',
    ],
    query: failedAdminRequests,
  },
];
