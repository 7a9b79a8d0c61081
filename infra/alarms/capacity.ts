/** Alarms about what Lambda and the tables can take, and about the tasks of Fargate and their load balancer. */
import { type AlarmRow, above, atLeast, inPeriods, once, percentIn } from './row.ts';

export const capacityAlarms: readonly AlarmRow[] = [
  {
    name: 'ThrottledRequests',
    title: 'Lambda refuses requests',
    hosts: ['event', 'web'],
    watch: { all: 'throttledCalls' },
    ...atLeast(1, 2, 5, 1),
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
    ...once(5),
    means:
      'A function that generates ended without an answer: out of memory, out of time, or it did not start. The functions answer their own errors, so each is a fault.',
    affects: 'Callers whose request or stream was cut off. Its record is finished by the aggregator later.',
    steps: [
      'Search the log for "Task timed out", "Runtime exited" and "signal: killed".',
      'Out of memory: deploy with a larger `memory`; 256 holds the largest request, and refuses answers that do not fit.',
      'It does not start: a deployment is wrong; deploy the version before.',
    ],
  },
  {
    name: 'Concurrency',
    title: 'The concurrency of the account is nearly used up',
    hosts: ['event', 'web'],
    watch: { share: 'concurrency', of: 'concurrencyQuota', least: 0 },
    ...above(80, 'percent', 3, 5, 1),
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
    watch: { all: 'tableThrottles' },
    ...above(10, 'count', 2, 3, 5),
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
    watch: { all: 'tableErrors' },
    ...above(5, 'count', 2, 3, 5),
    means: 'DynamoDB answered calls of the gateway with faults of its own.',
    affects:
      'Requests are slower or fail with a 500 or 503. Keys that were read lately work for five minutes longer.',
    steps: [
      'Look at the AWS Health Dashboard of the region.',
      'Nothing can be done here while it lasts. Afterwards look for lost records, and restore them: `npm run gateway -- usage replay`.',
    ],
  },
  {
    name: 'NoTasks',
    title: 'No task answers',
    hosts: ['fargate'],
    watch: { all: 'healthyTasks' },
    threshold: 1,
    isBelow: true,
    unit: 'count',
    ...inPeriods(2, 2, 5),
    means: 'No task answers the load balancer: none runs, or all are unhealthy.',
    affects: 'All callers: they get a 503 of the load balancer.',
    steps: [
      'Read the events of the service in ECS: an image that cannot be pulled, no capacity, a desired count of 0.',
      'Tasks that end at their start write why to the log of the server.',
      'After a deployment: deploy the version before.',
    ],
  },
  {
    name: 'UnhealthyTasks',
    title: 'Tasks do not answer',
    hosts: ['fargate'],
    watch: { all: 'unhealthyTasks' },
    ...atLeast(1, 2, 2, 5),
    means:
      'A task does not answer the load balancer, or cannot reach its tables. It is replaced after five minutes.',
    affects: 'Fewer tasks take the requests. Where all are unhealthy, all get requests.',
    steps: [
      'Read the log of the server: a task that starts again and again writes why.',
      'All tasks at once: the tables or the network; after a deployment, deploy the version before.',
    ],
  },
  {
    name: 'BalancerErrors',
    title: 'The load balancer answers by itself',
    hosts: ['fargate'],
    watch: { share: 'balancerErrors', of: 'requests', least: 20 },
    ...percentIn(2, 1),
    means:
      'More than 1 % of the answers were errors of the load balancer itself: no task took the request, or one closed the connection.',
    affects: 'Callers who got a 502, 503 or 504 that has not the form of our errors.',
    steps: [
      '503: no healthy task; see the alarm `NoTasks`.',
      '502: tasks ended while they served; look for their end, and for the memory of tasks.',
      '504: tasks did not accept the connection: too much load; raise `maxTasks`.',
    ],
  },
  {
    name: 'TasksAtMost',
    title: 'No further task may start',
    hosts: ['fargate'],
    watch: { share: 'healthyTasks', of: 'maxTasks', least: 0 },
    threshold: 100,
    isAtLeast: true,
    unit: 'percent',
    ...inPeriods(3, 3, 5),
    means: 'As many tasks run as the setting `maxTasks` allows, for 15 minutes.',
    affects: 'No caller yet. With more load, requests become slower and are then refused.',
    steps: [
      'Raise `maxTasks`, or `taskCpu` and `taskMemory`.',
      'Load without requests: look at the processor time of the tasks after the last deployment.',
    ],
  },
  {
    name: 'TaskMemory',
    title: 'Tasks run out of memory',
    hosts: ['fargate'],
    watch: { all: 'taskMemory' },
    ...percentIn(3, 85),
    means: 'The fullest task uses more than 85 % of its memory.',
    affects:
      'No caller yet: a server that is full answers 503 to large requests. At 100 % the task is ended, with its streams.',
    steps: [
      'Raise `taskMemory`, or `minTasks` so that each has fewer streams.',
      'It grows for days and does not fall: report it, and deploy to start new tasks.',
    ],
  },
];
