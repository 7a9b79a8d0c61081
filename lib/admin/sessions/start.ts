/**
 * `GET /dashboard/start`: the one-time address that a local gateway prints. Its token opens one session of an operator and leaves
 * the address bar with the redirect; a second use of it, or a use from another machine, opens none.
 */
import type { Nothing, OpenEndpoint } from '../../core/admin/admin-endpoint.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import { sessionCookie } from '../../core/admin/session-cookie.ts';
import { sessionSeconds } from '../../stores/sessions/sessions.ts';
import type { SessionParts } from './parts.ts';
import { startParameters } from './schema.ts';

const home = '/dashboard/';

/** The dashboard shows what to do. */
const refused = { type: 'redirect', location: `${home}#used-address` } as const;

export const startEndpoint = ({
  sessions,
}: Pick<SessionParts, 'sessions'>): OpenEndpoint<typeof startParameters, Nothing> => ({
  parameters: startParameters,
  body: nothing,
  async answer({ parameters, shown }) {
    const name = shown.isLocal ? await sessions.takeTicket(parameters.token) : undefined;
    if (name === undefined) return refused;
    const { token } = await sessions.open({ id: name, name, role: 'operator', via: 'address' });
    const cookie = sessionCookie.set(token, sessionSeconds, shown.isSecure);
    return { type: 'redirect', location: home, cookies: [cookie] };
  },
});
