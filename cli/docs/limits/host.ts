/** Bounds of the server. */
import { maxOrigins } from '../../../lib/core/cors.ts';
import { bodyFactor } from '../../../lib/http/request/body-limit.ts';
import { answerFactor, imagesFactor, mediaFactor } from '../../../lib/transport/answer-memory.ts';
import { maxAllowedHosts } from '../../../server/addresses.ts';
import {
  headerLimit,
  keepAliveMs,
  maxArrivingBytes,
  maxHeadersMs,
  maxPipelined,
  maxRequestMs,
  maxRunning,
  maxUnreadMs,
  maxWaiting,
} from '../../../server/http/limits.ts';
import { checkFreshMs } from '../../../server/metrics/health.ts';
import { maxMetricsConnections } from '../../../server/metrics/metrics.ts';
import { maxCountedSeries } from '../../../server/metrics/request-counts.ts';
import { maxBackOffMs } from '../../../server/process/back-off.ts';
import { maxCrashLines } from '../../../server/process/crashes.ts';
import { maxEndMs } from '../../../server/process/drain.ts';
import { minBudgetBytes, requestBytes } from '../../../server/process/memory-budget.ts';
import { maxMissedReports } from '../../../server/process/primary.ts';
import {
  maxDrainSeconds,
  maxKeepAliveSeconds,
  maxTrustedProxies,
  maxWorkers,
} from '../../../server/settings.ts';
import type { LimitArea } from './row.ts';

const limitsFile = 'server/http/limits.ts';
const serverSettings = 'server/settings.ts';
const budget = 'server/process/memory-budget.ts';

export const hostLimits: LimitArea = {
  title: 'Server',
  rows: [
    {
      what: 'Processes that serve, in `GATEWAY_WORKERS`; up to twice as many run while some are replaced',
      limit: { maxWorkers },
      file: serverSettings,
      unit: 'count',
      onExceed: 'the server does not start',
    },
    {
      what: 'Time that running requests have to end when the server stops, in `GATEWAY_DRAIN_SECONDS`',
      limit: { maxDrainSeconds },
      file: serverSettings,
      unit: 'seconds',
      onExceed:
        'the server does not start; a request that is still running gets the error `gateway_stopping`',
    },
    {
      what: 'Time beyond it for requests that were stopped: to end their answers, and again to write their records',
      limit: { maxEndMs },
      file: 'server/process/drain.ts',
      unit: 'ms',
      onExceed: 'the process ends',
    },
    {
      what: 'Break before another process takes the place of one that has ended or failed soon after its start',
      limit: { maxBackOffMs },
      file: 'server/process/back-off.ts',
      unit: 'ms',
      onExceed: 'it is not longer, however often that happens',
    },
    {
      what: 'Reports in a row, one each 5 s, that a worker may miss because it is busy with one thing',
      limit: { maxMissedReports },
      file: 'server/process/primary.ts',
      unit: 'count',
      onExceed: 'it is ended, and another takes its place',
    },
    {
      what: 'Log lines with an exception that no request catches, in a minute',
      limit: { maxCrashLines },
      file: 'server/process/crashes.ts',
      unit: 'count',
      onExceed: 'more are not logged',
    },
    {
      what: 'Time between two questions of `/readyz` to the database',
      limit: { checkFreshMs },
      file: 'server/metrics/health.ts',
      unit: 'ms',
      onExceed: 'the last answer counts',
    },
    {
      what: 'Combinations of labels of one metric of a server',
      limit: { maxCountedSeries },
      file: 'server/metrics/request-counts.ts',
      unit: 'count',
      onExceed: 'counted together, as `other`',
    },
    {
      what: 'Connections to the metrics of a server',
      limit: { maxMetricsConnections },
      file: 'server/metrics/metrics.ts',
      unit: 'count',
      onExceed: 'they are closed',
    },
    {
      what: 'Proxies in a row whose `X-Forwarded-For` is believed, in `GATEWAY_TRUSTED_PROXIES`',
      limit: { maxTrustedProxies },
      file: serverSettings,
      unit: 'count',
      onExceed: 'the server does not start',
    },
    {
      what: 'Time for which a server keeps a connection open between two requests, in `GATEWAY_KEEP_ALIVE_SECONDS`',
      limit: { maxKeepAliveSeconds },
      file: serverSettings,
      unit: 'seconds',
      onExceed: 'the server does not start',
    },
    {
      what: 'The same time without that variable',
      limit: { keepAliveMs },
      file: limitsFile,
      unit: 'ms',
      onExceed: 'the connection is closed',
    },
    {
      what: 'Values of all headers of a request, together',
      limit: { headerLimit },
      file: limitsFile,
      unit: 'bytes',
      onExceed: '431',
    },
    {
      what: 'Names in `GATEWAY_ALLOWED_HOSTS`',
      limit: { maxAllowedHosts },
      file: 'server/addresses.ts',
      unit: 'count',
      onExceed: 'the gateway does not start',
    },
    {
      what: 'Origins in `GATEWAY_CORS_ORIGINS` or `corsOrigins`',
      limit: { maxOrigins },
      file: 'lib/core/cors.ts',
      unit: 'count',
      onExceed: 'the gateway does not start, or is not deployed',
    },
    {
      what: 'Time in which the headers of a request arrive at a server',
      limit: { maxHeadersMs },
      file: limitsFile,
      unit: 'ms',
      onExceed: '408',
    },
    {
      what: 'Time in which a whole request arrives at a server',
      limit: { maxRequestMs },
      file: limitsFile,
      unit: 'ms',
      onExceed: '408',
    },
    {
      what: 'Time for which an answer waits for a client that takes nothing of it',
      limit: { maxUnreadMs },
      file: limitsFile,
      unit: 'ms',
      onExceed: 'its connection is closed',
    },
    {
      what: 'Connections of a server that wait for their client',
      limit: { maxWaiting },
      file: limitsFile,
      unit: 'count',
      onExceed: 'the one that has waited longest is closed',
    },
    {
      what: 'Bodies that have not arrived whole at a server, together',
      limit: { maxArrivingBytes },
      file: limitsFile,
      unit: 'bytes',
      onExceed: 'the connection that has waited longest is closed',
    },
    {
      what: 'Requests that run in a server at a time',
      limit: { maxRunning },
      file: limitsFile,
      unit: 'count',
      onExceed: '429',
    },
    {
      what: 'Memory that a request takes of the budget of its process, beside its body',
      limit: { requestBytes },
      file: budget,
      unit: 'bytes',
      onExceed: '503 `server_busy`, with `Retry-After`, while the budget is used up',
    },
    {
      what: 'Bytes of that budget for each byte of a body',
      limit: { bodyFactor },
      file: 'lib/http/request/body-limit.ts',
      unit: 'count',
      onExceed: 'the same',
    },
    {
      what: 'The same for each byte of a whole answer of a provider',
      limit: { answerFactor },
      file: 'lib/transport/answer-memory.ts',
      unit: 'count',
      onExceed: 'the same',
    },
    {
      what: 'The same for each byte of a link that is fetched',
      limit: { mediaFactor },
      file: 'lib/transport/answer-memory.ts',
      unit: 'count',
      onExceed: 'the same; the smallest budget has not room for the largest body and the most links together',
    },
    {
      what: 'The same for each byte of an answer with images',
      limit: { imagesFactor },
      file: 'lib/transport/answer-memory.ts',
      unit: 'count',
      onExceed: 'the same',
    },
    {
      what: 'Smallest budget of a process',
      limit: { minBudgetBytes },
      file: budget,
      unit: 'bytes',
      onExceed: 'the server does not start: the largest request would never run',
    },
    {
      what: 'Requests of one connection that run in a server at a time',
      limit: { maxPipelined },
      file: limitsFile,
      unit: 'count',
      onExceed: '429',
    },
  ],
};
