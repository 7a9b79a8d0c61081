/** The variables of the sign-in to the dashboard at an issuer of OpenID Connect. */
import { defaultRoleClaim, defaultScopes, defaultTenantClaim } from '../../../lib/admin/sign-in/settings.ts';
import type { SettingGroup } from './row.ts';

export const signInSettings: SettingGroup = {
  title: 'Sign-in to the dashboard',
  introduction:
    'Read by the functions of the dashboard. The third stack sets them for its user pool; a server takes any issuer of OpenID Connect ([sign-in.md](../operate/sign-in.md) has examples).',
  rows: [
    [
      'GATEWAY_ADMIN_ISSUER',
      'The issuer at which people sign in, exactly as in its tokens: an https address (http on this machine only)',
      'there is no sign-in at an issuer',
    ],
    ['GATEWAY_ADMIN_CLIENT_ID', "The id of the gateway's client at the issuer", 'required with an issuer'],
    [
      'GATEWAY_DASHBOARD_URL',
      "The public address of the dashboard, without a path of its own. The client's redirect URI is this and `/admin/v1/sign-in/callback`; its sign-out URI is this and `/dashboard/overview`. Where a proxy replaces `Host` and sends no `X-Forwarded-Host`, browsers that do not name the site of a request are known by it",
      'required with an issuer',
    ],
    [
      'GATEWAY_ADMIN_CLIENT_SECRET',
      'The secret of the client, for issuers that demand one beside PKCE',
      'the client is a public one',
    ],
    [
      'GATEWAY_ADMIN_SCOPES',
      'The scopes to ask for, separated by spaces. Many issuers give refresh tokens only with `offline_access`',
      `\`${defaultScopes}\``,
    ],
    [
      'GATEWAY_ADMIN_ROLE_CLAIM',
      'The claim of the ID token with the roles: `operator`, `tenant-admin`, `member`, `viewer`; its name, or a path such as `realm_access.roles`',
      `\`${defaultRoleClaim}\``,
    ],
    [
      'GATEWAY_ADMIN_TENANT_CLAIM',
      'The claim with the name of the tenant, which all but operators must have',
      `\`${defaultTenantClaim}\``,
    ],
    [
      'GATEWAY_ADMIN_SIGN_OUT_URL',
      'Where Cognito ends its session with a browser: `https://<domain>/logout`',
      'the `end_session_endpoint` of the issuer',
    ],
    [
      'GATEWAY_ADMIN_USER_POOL',
      'The id of the Cognito user pool whose members the gateway manages',
      'members are managed at the issuer',
    ],
  ],
};
