/** Bounds of the dashboard and its operations. */
import { maxKeyText, maxTicketText } from '../../../lib/admin/sessions/schema.ts';
import { sessionSeconds, ticketSeconds } from '../../../lib/stores/sessions/sessions.ts';
import { maxLocalAddresses } from '../../../lib/transport/local-addresses.ts';
import type { LimitArea } from './row.ts';

export const dashboardLimits: LimitArea = {
  title: 'Dashboard',
  rows: [
    {
      what: 'A session by one-time address or API key',
      limit: { sessionSeconds },
      file: 'lib/stores/sessions/sessions.ts',
      unit: 'seconds',
      onExceed: '401 `signed_out`: sign in again',
    },
    {
      what: 'How long a one-time address can be opened',
      limit: { ticketSeconds },
      file: 'lib/stores/sessions/sessions.ts',
      unit: 'seconds',
      onExceed: 'it no longer signs in; `gateway dashboard` prints another one',
    },
    {
      what: 'The token of a one-time address',
      limit: { maxTicketText },
      file: 'lib/admin/sessions/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: '`api_key` of a sign-in',
      limit: { maxKeyText },
      file: 'lib/admin/sessions/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Addresses or ranges that count as this machine, by `GATEWAY_DASHBOARD_FROM`',
      limit: { maxLocalAddresses },
      file: 'lib/transport/local-addresses.ts',
      unit: 'count',
      onExceed: 'the server does not start',
    },
  ],
};
