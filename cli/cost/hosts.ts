/** What a workload uses on each host: functions for events, Web Functions, or tasks of Fargate. */

import type { Compute } from '../../infra/settings/groups/computes.ts';
import {
  busyPercent,
  type FargateSettings,
  processesOf,
  provenStreams,
  readFargate,
} from '../../infra/settings/groups/fargate.ts';
import { readWeb } from '../../infra/settings/groups/web.ts';
import { webOperations } from '../../server/web/web-operations.ts';
import * as sizes from './sizes.ts';
import {
  answerSize,
  type CostedOperation,
  coldStarts,
  concurrentRequests,
  monthHours,
  monthSeconds,
  type ProcessorTime,
  processorSeconds,
  type Traffic,
} from './traffic.ts';
import { loggedBytes, ofMonth, ofRequests, type Quantity, sharedUses, type Use } from './uses.ts';

interface Host {
  /** Used for the requests. */
  readonly uses: (traffic: Traffic, time: ProcessorTime) => readonly Use[];
  /** Used without any request. */
  readonly idle: readonly Use[];
}

const api = (traffic: Traffic): Quantity => [
  'API Gateway',
  'apiGatewayRequests',
  'requests',
  Math.max(1, Math.ceil(answerSize(traffic) / sizes.answerUnit)),
];

/** Metrics of the one method in use: count, 4xx, 5xx and two latencies. Lost records and unpriced requests are rare. */
const apiMetrics = ofMonth([['CloudWatch', 'metrics', 'metrics of the API', 5]]);

/** The function that creates background responses, whichever functions their callers follow them in. */
const worker = ({ stream, memory, duration }: Traffic): readonly Quantity[] =>
  stream === 'background'
    ? [
        ['Lambda', 'lambdaRequests', 'background: requests', 1],
        ['Lambda', 'lambdaMegabyteMilliseconds', 'background: worker', memory * Math.round(duration * 1_000)],
      ]
    : [];

/** One function for each operation, of which each concurrent request has an environment. */
const event: Host = {
  idle: [],
  uses(traffic) {
    const { memory, duration } = traffic;
    const bytes = loggedBytes(traffic);
    const running: readonly Quantity[] = [
      ['Lambda', 'lambdaRequests', 'requests', 1],
      ['Lambda', 'lambdaMegabyteMilliseconds', 'answering', memory * Math.round(duration * 1_000)],
      [
        'Lambda',
        'lambdaMegabyteMilliseconds',
        'cold starts',
        memory * coldStarts.milliseconds * coldStarts.share,
      ],
      [
        'Lambda',
        'lambdaStreamedBytes',
        'answer beyond 6 MB',
        Math.max(0, answerSize(traffic) - sizes.freeAnswer),
      ],
    ];
    return [
      ...ofRequests(traffic, [...running, ...worker(traffic), api(traffic)]),
      ...sharedUses(traffic, [
        ['functionLogs', 'log of the function', bytes.invoked + bytes.event + bytes.aggregator],
        ['accessLogs', 'access log', bytes.access],
      ]),
      ...apiMetrics,
    ];
  },
};

/** Streams that an environment of a Web Function takes at a time, where no other number is set. */
const { concurrency: environmentStreams } = readWeb((_, defaultValue) => defaultValue, '');

/** Between the API and the functions: the present one and the one before. */
const originSecrets = ofMonth([['Web Functions', 'secrets', 'origin secrets', 2]]);

/** Of an environment with its streams, in GB: 205 MB, and 0.17 MB for each. Source: `test/bench/RESULTS.md`, "Memory", 2026-11-22. */
const environmentGigabytes = (205 + environmentStreams * 0.17) / 1_024;

/** Taken to be there all month, though environments go away when idle. */
export const environmentsFor = (traffic: Traffic): number =>
  Math.max(1, Math.ceil(concurrentRequests(traffic) / environmentStreams));

/** Servers in Lambda behind the same API, billed for processor time. */
const web: Host = {
  idle: originSecrets,
  uses(traffic, time) {
    if (staysEvent(traffic.operation)) return event.uses(traffic, time);
    const environments = environmentsFor(traffic);
    const memory = environments * environmentGigabytes * monthSeconds;
    const bytes = loggedBytes(traffic);
    const lines = [
      ['functionLogs', 'log of the function', bytes.request + bytes.aggregator],
      ['accessLogs', 'access log', bytes.access],
    ] as const;
    return [
      ...ofRequests(traffic, [
        ['Web Functions', 'webRequests', 'requests', 1],
        ['Web Functions', 'webVcpuSeconds', 'processor time', processorSeconds(traffic, time)],
        ...worker(traffic),
        api(traffic),
      ]),
      ...ofMonth([['Web Functions', 'webGigabyteSeconds', 'memory of environments', memory]]),
      ...sharedUses(traffic, lines, environments),
      ...apiMetrics,
    ];
  },
};

/** A task of Fargate, as a deployment has it where nothing is set. */
export const task: FargateSettings = readFargate((_, defaultValue) => defaultValue, true);

/** At the load that the scaling keeps: by the processor time of the requests, and by how many run at a time. */
export function tasksFor(traffic: Traffic, time: ProcessorTime): number {
  const { cpu, tasks } = task;
  const busy = (cpu / 1_024) * (busyPercent / 100);
  const forProcessor = (traffic.rps * processorSeconds(traffic, time)) / busy;
  const forStreams = concurrentRequests(traffic) / (provenStreams * processesOf(cpu));
  return Math.max(tasks.min, Math.ceil(Math.max(forProcessor, forStreams)));
}

/** One capacity unit of the load balancer. Source: as its price's. */
const unit = { newConnections: 25, connections: 3_000, bytesAnHour: 1_073_741_824 };

/** At most: a caller that keeps its connection opens fewer. */
function capacityUnits(traffic: Traffic): number {
  const { rps, requestBytes } = traffic;
  const bytes = rps * 3_600 * (requestBytes + answerSize(traffic) + sizes.answerHeaders);
  return Math.max(
    rps / unit.newConnections,
    concurrentRequests(traffic) / unit.connections,
    bytes / unit.bytesAnHour,
  );
}

/** Of the load balancer, one in each of two zones. */
const balancerAddresses = 2;

const ofTasks = (count: number, what: string): readonly Quantity[] => [
  ['Fargate', 'fargateVcpuHours', `${what}: processors`, (count * monthHours * task.cpu) / 1_024],
  ['Fargate', 'fargateGigabyteHours', `${what}: memory`, (count * monthHours * task.memory) / 1_024],
  ['Fargate', 'publicAddressHours', `${what}: addresses`, count * monthHours],
];

/** A server of all operations behind a load balancer. */
const fargate: Host = {
  idle: ofMonth([
    ...ofTasks(task.tasks.min, 'least tasks'),
    ['Load balancer', 'balancerHours', 'hours', monthHours],
    ['Load balancer', 'publicAddressHours', 'addresses', balancerAddresses * monthHours],
  ]),
  uses(traffic, time) {
    const count = tasksFor(traffic, time);
    const bytes = loggedBytes(traffic);
    const lines = [
      ['accessLogs', 'log of the server', bytes.request],
      ['functionLogs', 'log of the aggregator', bytes.aggregator],
    ] as const;
    return [
      ...ofMonth([
        ...ofTasks(count - task.tasks.min, 'further tasks'),
        ['Load balancer', 'balancerCapacityHours', 'capacity', capacityUnits(traffic) * monthHours],
      ]),
      ...sharedUses(traffic, lines, count * processesOf(task.cpu)),
    ];
  },
};

export const staysEvent = (operation: CostedOperation): boolean =>
  !webOperations.some((name) => name === operation);

export const hosts: Readonly<Record<Compute, Host>> = { event, web, fargate };
