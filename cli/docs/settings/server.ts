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
    { name: 'PORT', meaning: 'Port to listen on; 0 takes any free port', absent: `${port}` },
    {
      name: 'HOST',
      meaning: 'Address or name to listen on; `0.0.0.0` is every address, as in the image',
      absent: `\`${host}\``,
    },
    {
      name: 'GATEWAY_WORKERS',
      meaning: `Processes that serve requests, up to ${maxWorkers}; \`auto\` is one for each processor`,
      absent: `${workers}`,
    },
    {
      name: 'GATEWAY_MEMORY_MB',
      meaning: `What the bodies and answers of all requests of a process may use together, at least ${minMemoryMb}. A request that does not fit is refused with 503 and \`Retry-After\``,
      absent: 'what the memory of the process leaves to them',
    },
    {
      name: 'GATEWAY_DRAIN_SECONDS',
      meaning: `How long running requests may go on after SIGTERM, up to ${maxDrainSeconds}. Whatever stops the process should wait for 10 seconds more`,
      absent: `${drainMs / 1_000}`,
    },
    {
      name: 'GATEWAY_NOTICE_SECONDS',
      meaning:
        'Of that time, how long new connections are still served while `/readyz` fails. A balancer that learns only from there needs as long as its checks take to fail',
      absent: `a sixth of it, at most ${defaultNoticeMs(drainMs * 1_000) / 1_000}`,
    },
    {
      name: 'GATEWAY_KEEP_ALIVE_SECONDS',
      meaning: `How long a connection stays open between two requests, up to ${maxKeepAliveSeconds.toLocaleString('en-US')}. Longer than a load balancer before the server keeps it, or some of its requests fail with 502`,
      absent: `${keepAliveMs / 1_000}`,
    },
    {
      name: 'GATEWAY_TRUSTED_PROXIES',
      meaning: `Proxies in a row before the server, up to ${maxTrustedProxies}, whose \`X-Forwarded-For\` is believed`,
      absent: `${trustedProxies}`,
    },
    {
      name: 'GATEWAY_JOURNAL_DIRECTORY',
      meaning:
        'Where a process notes requests until the ledger has them, for the next start, which replays what is left there. Its parent must exist, and only servers with the same tables may share it',
      absent:
        'a directory of temporary files; where none can be written, the log, for `usage replay`; with `npm start`, `journal` in the data directory',
    },
    {
      name: 'GATEWAY_DASHBOARD',
      meaning: 'Whether the dashboard and its API are served: `on` or `off`. `npm start` always serves them',
      absent: '`off`',
    },
    {
      name: 'GATEWAY_ALLOWED_HOSTS',
      meaning: `The only names that callers may use for the server, beside its addresses, up to ${maxAllowedHosts}, separated by commas; another Host header gets 421`,
      absent: 'every name',
    },
    {
      name: 'GATEWAY_CORS_ORIGINS',
      meaning: `Web pages that may call the gateway, up to ${maxOrigins}: origins such as \`https://app.example.com\`, separated by commas, or \`*\``,
      absent: 'none',
    },
    {
      name: 'GATEWAY_METRICS_PORT',
      meaning:
        'Port of `GET /metrics`, for Prometheus: responses by operation and status, refusals by reason, calls and failures by provider, connections, memory, and the delay of the event loop, which is how long a new connection waits. Keep it inside of your network',
      absent: 'none',
    },
  ],
};
