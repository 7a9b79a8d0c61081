/** Alarms about the tasks of Fargate and their load balancer. */
import type { AlarmRow } from './row.ts';

export const fargateAlarms: readonly AlarmRow[] = [
  {
    name: 'UnhealthyTasks',
    title: 'Tasks do not answer',
    hosts: ['fargate'],
    watch: { all: 'unhealthyTasks' },
    threshold: 1,
    isAtLeast: true,
    unit: 'count',
    minutes: 5,
    late: 2,
    periods: 2,
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
    threshold: 1,
    unit: 'percent',
    minutes: 5,
    late: 2,
    periods: 3,
    means:
      'More than 1 % of the answers were errors of the load balancer itself: no task took the request, or one closed the connection.',
    affects: 'Callers who got a 502, 503 or 504 that has not the form of our errors.',
    steps: [
      '503: no healthy task; see the alarm on tasks that do not answer.',
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
    minutes: 5,
    late: 3,
    periods: 3,
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
    threshold: 85,
    unit: 'percent',
    minutes: 5,
    late: 3,
    periods: 3,
    means: 'The fullest task uses more than 85 % of its memory.',
    affects:
      'No caller yet: a server that is full answers 503 to large requests. At 100 % the task is ended, with its streams.',
    steps: [
      'Raise `taskMemory`, or `minTasks` so that each has fewer streams.',
      'It grows for days and does not fall: report it, and deploy to start new tasks.',
    ],
  },
];
