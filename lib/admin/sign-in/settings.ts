/** How people sign in at an issuer of OpenID Connect: a Cognito user pool, or any other. */

export interface IssuerSettings {
  /** Exactly as in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Only for issuers that demand one: the client is a public one, with PKCE. */
  readonly clientSecret?: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** The claims with the roles and with the tenant. */
  readonly roleClaim: string;
  readonly tenantClaim: string;
  /** The public address of the dashboard, without a slash at its end; with a stage if it has one. */
  readonly dashboardUrl: string;
  /** Where Cognito ends its own session; absent: what the issuer's metadata has. */
  readonly signOutUrl?: string;
}

/** What the settings are called that they come from, for messages to operators. */
export const settingNames = {
  issuer: 'GATEWAY_ADMIN_ISSUER',
  clientId: 'GATEWAY_ADMIN_CLIENT_ID',
  clientSecret: 'GATEWAY_ADMIN_CLIENT_SECRET',
  scopes: 'GATEWAY_ADMIN_SCOPES',
  roleClaim: 'GATEWAY_ADMIN_ROLE_CLAIM',
  tenantClaim: 'GATEWAY_ADMIN_TENANT_CLAIM',
  dashboardUrl: 'GATEWAY_DASHBOARD_URL',
  signOutUrl: 'GATEWAY_ADMIN_SIGN_OUT_URL',
} as const satisfies Readonly<Record<keyof IssuerSettings, string>>;

/** Cognito's claims. Source: docs.aws.amazon.com, Cognito developer guide, "Understanding the identity (ID) token". */
export const defaultRoleClaim = 'cognito:groups';
export const defaultTenantClaim = 'custom:tenant';
export const defaultScopes = 'openid email profile';

type Given = Readonly<Partial<Record<(typeof settingNames)[keyof IssuerSettings], string | undefined>>>;

/** Undefined without an issuer. Throws Error that names what is missing or invalid, never its value. */
export function readIssuerSettings(given: Given): IssuerSettings | undefined {
  const issuer = given[settingNames.issuer];
  if (!issuer) return undefined;
  const clientId = given[settingNames.clientId];
  const dashboardUrl = given[settingNames.dashboardUrl];
  const signOutUrl = given[settingNames.signOutUrl];
  const clientSecret = given[settingNames.clientSecret];
  if (!clientId) throw new Error(`${settingNames.clientId} must be set with ${settingNames.issuer}.`);
  if (!dashboardUrl) throw new Error(`${settingNames.dashboardUrl} must be set with ${settingNames.issuer}.`);
  checkAddress(settingNames.issuer, issuer);
  checkAddress(settingNames.dashboardUrl, dashboardUrl);
  if (signOutUrl) checkAddress(settingNames.signOutUrl, signOutUrl);
  return {
    issuer,
    clientId,
    scopes: given[settingNames.scopes] || defaultScopes,
    roleClaim: given[settingNames.roleClaim] || defaultRoleClaim,
    tenantClaim: given[settingNames.tenantClaim] || defaultTenantClaim,
    dashboardUrl: dashboardUrl.replace(/(?<!\/)\/+$/, ''),
    ...(clientSecret && { clientSecret }),
    ...(signOutUrl && { signOutUrl }),
  };
}

function checkAddress(name: string, text: string): void {
  const url = URL.parse(text);
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain && isProtected(url)) return;
  throw new Error(
    `${name} must be an https address without a user, a query and a fragment (http on this machine only).`,
  );
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether tokens may pass over connections to an address. */
export const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
