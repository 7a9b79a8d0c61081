/** Bounds of the local gateway's server and of the stack. */
import { maxOrigins } from '../../../lib/core/cors.ts';
import { maxAllowedHosts } from '../../local/front/addresses.ts';
import { headerLimit } from '../../local/front/limits.ts';
import type { LimitArea } from './row.ts';

export const hostLimits: LimitArea = {
  title: 'Local gateway and stack',
  rows: [
    {
      what: 'Values of all headers of a request, together',
      limit: { headerLimit },
      file: 'infra/local/front/limits.ts',
      unit: 'bytes',
      onExceed: '431',
    },
    {
      what: 'Names in `GATEWAY_ALLOWED_HOSTS`',
      limit: { maxAllowedHosts },
      file: 'infra/local/front/addresses.ts',
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
  ],
};
