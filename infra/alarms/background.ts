/** Alarms about responses that a function creates in the background. A server creates them itself, and its own alarms see it. */
import { linesOf } from './queries.ts';
import { type AlarmRow, above, once } from './row.ts';

export const backgroundAlarms: readonly AlarmRow[] = [
  {
    name: 'BackgroundErrors',
    title: 'Background responses break off',
    hosts: ['event', 'web'],
    watch: { all: 'backgroundErrors' },
    ...once(5),
    means:
      'The function for background responses ended before its response: out of memory or of its 15 minutes, or it could not begin one. Failures of providers do not count.',
    affects:
      'Callers whose response has the status `failed` a minute later. What was not begun is tried once more.',
    steps: [
      'Run the query: it names why a response could not be begun.',
      'No lines: search the log for "Task timed out", "Runtime exited" and "signal: killed".',
      'Out of memory: deploy with a larger `memory`. Out of time: the response took more than 900 s; ask for less in one.',
      'After a deployment: deploy the version before.',
    ],
    query: linesOf('background response failed', 'reason'),
  },
  {
    name: 'BackgroundAge',
    title: 'Background responses begin late',
    hosts: ['event', 'web'],
    watch: { all: 'backgroundAge' },
    ...above(30_000, 'milliseconds', 2, 3, 5),
    means:
      'Events waited more than 30 seconds for the function for background responses: Lambda refuses it, or its first attempts fail.',
    affects:
      'Callers who wait for their response. One that did not begin in a minute may be given up as `failed`.',
    steps: [
      'Compare the concurrency of the account on the dashboard with its quota (Service Quotas, L-B99A9384), and ask for more.',
      'The quota is free: its reserved concurrency is used up; raise or remove it (`reservedConcurrency`).',
      'First attempts fail: see the alarm `BackgroundErrors`.',
    ],
  },
  {
    name: 'DroppedBackgroundEvents',
    title: 'Background responses are not begun',
    hosts: ['event', 'web'],
    watch: { all: 'droppedEvents' },
    ...once(5),
    means:
      'Lambda gave up events for background responses: both attempts failed, or there was no room for five minutes.',
    affects: 'Callers whose response has the status `failed`. It has cost nothing.',
    steps: [
      'See the alarms `BackgroundErrors` and `BackgroundAge` for the cause.',
      'Remove a reserved concurrency of 0.',
      'Nothing is to be restored: callers create such a response again.',
    ],
    query: linesOf('background response failed', 'reason'),
  },
];
