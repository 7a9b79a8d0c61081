/** The variables that only the server reads. Their bounds and defaults come from its code. */

import { maxOrigins } from '../../../lib/core/cors.ts';
import { maxAllowedHosts } from '../../../server/addresses.ts';
import { defaultNoticeMs } from '../../../server/process/drain.ts';
import { minBudgetBytes } from '../../../server/process/memory-budget.ts';
import {
  maxDrainSeconds,
  maxKeepAliveSeconds,
  maxTrustedProxies,
  maxWorkers,
  readSettings,
} from '../../../server/settings.ts';
import type { SettingGroup } from './row.ts';

const { port, host, workers, drainMs, keepAliveMs, trustedProxies } = readSettings({});

const minMemoryMb = Math.ceil(minBudgetBytes / 1_024 / 1_024);

export const serverSettings: SettingGroup = {
  title: 'The server',
  introduction: 'A value that is not allowed ends the start, with an error that names the variable.',
  rows: [
    ['PORT', 'Port to listen on; 0 takes any free port', `${port}`],
    ['HOST', 'Address or name to listen on; `0.0.0.0` is every address, as in the image', `\`${host}\``],
    [
      'GATEWAY_WORKERS',
      `Processes that serve requests, up to ${maxWorkers}; \`auto\` is one for each processor`,
      `${workers}`,
    ],
    [
      'GATEWAY_MEMORY_MB',
      `What the bodies and answers of all requests of a process may use together, at least ${minMemoryMb}. A request that does not fit is refused with 503 and \`Retry-After\``,
      'what the memory of the process leaves to them',
    ],
    [
      'GATEWAY_DRAIN_SECONDS',
      `How long running requests may go on after SIGTERM, up to ${maxDrainSeconds}. Whatever stops the process should wait for 10 seconds more`,
      `${drainMs / 1_000}`,
    ],
    [
      'GATEWAY_NOTICE_SECONDS',
      'Of that time, how long new connections are still served while `/readyz` fails. A balancer that learns only from there needs as long as its checks take to fail',
      `a sixth of it, at most ${defaultNoticeMs(drainMs * 1_000) / 1_000}`,
    ],
    [
      'GATEWAY_KEEP_ALIVE_SECONDS',
      `How long a connection stays open between two requests, up to ${maxKeepAliveSeconds.toLocaleString('en-US')}. Longer than a load balancer before the server keeps it, or some of its requests fail with 502`,
      `${keepAliveMs / 1_000}`,
    ],
    [
      'GATEWAY_TRUSTED_PROXIES',
      `Proxies in a row before the server, up to ${maxTrustedProxies}, whose \`X-Forwarded-For\` is believed`,
      `${trustedProxies}`,
    ],
    [
      'GATEWAY_JOURNAL_DIRECTORY',
      'Where a process notes requests until the ledger has them, for the next start, which replays what is left there. Its parent must exist, and only servers with the same tables may share it',
      'a directory of temporary files; where none can be written, the log, for `usage replay`; with `npm start`, `journal` in the data directory',
    ],
    [
      'GATEWAY_DASHBOARD',
      'Whether the dashboard and its API are served: `on` or `off`. `npm start` always serves them',
      '`off`',
    ],
    [
      'GATEWAY_ALLOWED_HOSTS',
      `The only names that callers may use for the server, beside its addresses, up to ${maxAllowedHosts}, separated by commas; another Host header gets 421`,
      'every name',
    ],
    [
      'GATEWAY_CORS_ORIGINS',
      `Web pages that may call the gateway, up to ${maxOrigins}: origins such as \`https://app.example.com\`, separated by commas, or \`*\``,
      'none',
    ],
    [
      'GATEWAY_METRICS_PORT',
      'Port of `GET /metrics`, for Prometheus: responses by operation and status, refusals by reason, calls and failures by provider, connections, memory, and the delay of the event loop, which is how long a new connection waits. Keep it inside of your network',
      'none',
    ],
  ],
};
