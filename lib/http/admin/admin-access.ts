/** Who may call an operation of the dashboard: the rules against calls by other sites, without a sign-in and by the wrong role. */
import type { AdminOperation } from '../../core/admin/admin-operations.ts';
import { sessionCookie } from '../../core/admin/session-cookie.ts';
import { signedOut } from '../../core/admin/signed-out.ts';
import type { FindUser, ManagementGrant, Shown, User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { accountPrefix } from '../../core/routes.ts';
import type { HttpRequest } from '../request/http-request.ts';

/** The header of every call of the dashboard: another site's page cannot send it without being asked first, which is refused. */
const pageHeader = 'x-dashboard';

/** What proxies add, each its own: then the address of the connection is not the caller's. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
] as const;

export function shownBy(request: HttpRequest, isLocalAddress: (address: string) => boolean): Shown {
  const isSecure = request.header('x-forwarded-proto') === 'https';
  const bearer = bearerOf(request);
  const cookie = sessionCookie.read(request.header('cookie'), isSecure);
  const isProxied = proxyHeaders.some((name) => request.header(name) !== undefined);
  return {
    ...(bearer !== undefined && { bearer }),
    ...(cookie && { cookie }),
    isLocal: !isProxied && isLocalAddress(request.sourceIp),
    isSecure,
  };
}

const bearerOf = (request: HttpRequest): string | undefined =>
  /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];

/**
 * Refuses what a page of another site has sent. Browsers name the site of the sender (Fetch Metadata, W3C); for those that do not, an
 * `Origin` must be the dashboard's own, and cookies count only with a header that other sites cannot send without permission.
 */
export function refuseOtherSites(request: HttpRequest, { isOpened }: AdminOperation, pageUrl?: string): void {
  if (isOpened) return;
  const site = request.header('sec-fetch-site') ?? 'none';
  const isOwn = site === 'same-origin' || (site === 'none' && isOwnOrigin(request, pageUrl));
  // Browsers add a name and password of an address by themselves, and never a token.
  const needsHeader = request.header('cookie') !== undefined && bearerOf(request) === undefined;
  if (isOwn && !(needsHeader && request.header(pageHeader) !== '1')) return;
  throw new GatewayError(
    'permission_denied',
    `This request comes from another site, or has cookies without the header '${pageHeader}: 1'. Only the dashboard's own page may use its cookie.`,
    { code: 'cross_site' },
  );
}

/** A proxy may call the gateway by another name than the browser does, and names that in a header of its own. */
function isOwnOrigin(request: HttpRequest, pageUrl: string | undefined): boolean {
  const origin = request.header('origin');
  if (origin === undefined) return true;
  const hosts = [request.header('host'), request.header('x-forwarded-host'), hostOf(pageUrl)];
  const host = hostOf(origin);
  return host !== undefined && hosts.some((one) => one?.toLowerCase() === host);
}

const hostOf = (url = ''): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

/** The user who sends the request. */
export async function identify(request: HttpRequest, shown: Shown, findUser: FindUser): Promise<User> {
  const user = await findUser(shown);
  if (!user) throw signedOut('Sign in first: there is no session, or it has ended.');
  const isAccount = request.template.startsWith(accountPrefix);
  if (isAccount === (user.via === 'key')) return user;
  throw signedOut(
    isAccount
      ? `Paths below ${accountPrefix} are for sessions of API keys. Yours is at /admin/.`
      : `The session of an API key is at ${accountPrefix}, not at this path.`,
  );
}

export function checkRole(user: User, operation: AdminOperation): void {
  const { name, roles, withKey } = operation;
  if (!roles?.includes(user.role) || (!withKey && user.via === 'key'))
    throw new GatewayError(
      'permission_denied',
      `The role '${user.role}' may not call ${name}. Ask an operator of this gateway.`,
      { code: 'role_not_allowed' },
    );
  if (!user.managementKey || allows(user.managementKey, operation)) return;
  const message = `The operations of this management key do not name ${name}.`;
  throw new GatewayError('permission_denied', message, { code: 'operation_not_allowed' });
}

const allows = ({ operations }: ManagementGrant, { name, mustBeNamed }: AdminOperation): boolean =>
  operations ? operations.includes(name) : !mustBeNamed;
