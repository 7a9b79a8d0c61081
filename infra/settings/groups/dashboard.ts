/** Whether people have a page for the gateway, how it is served, and how they sign in. */

import type { SettingRow } from '../row.ts';
import { matching, oneOf, type SettingText } from '../values.ts';
import { type Domain, domainOf } from './domain.ts';
import { type IdentityProvider, readIdentityProvider } from './identity-provider.ts';

/** What serves the files of the dashboard; `false`: there is no page, and no admin API. */
const dashboardHosts = ['cloudfront', 'lambda', 'false'] as const;
type DashboardHost = Exclude<(typeof dashboardHosts)[number], 'false'>;

export interface DashboardSettings {
  readonly host: DashboardHost;
  /** `dashboardDomain` and `dashboardCertificateArn`; an address of AWS by default. */
  readonly domain: Domain | undefined;
  /** `operatorEmail`: who is invited as the first operator; no one if empty. */
  readonly operatorEmail: string;
  /** `dashboardMfa=required`: each sign-in needs two factors, of which a passkey is both. */
  readonly needsTwoFactors: boolean;
  /** `identityProvider`: where people sign in beside the user pool; nowhere else by default. */
  readonly identityProvider: IdentityProvider | undefined;
}

const mailAddress = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** The region of certificates for CloudFront. Source: docs.aws.amazon.com CloudFront, cnames-and-https-requirements. */
const cloudFrontRegion = 'us-east-1';

export const dashboardRows: readonly SettingRow[] = [
  {
    name: 'dashboard',
    meaning:
      'The dashboard and its admin API: `cloudfront` (files in a bucket behind CloudFront), `lambda` (by a function of the same API) or `false` for neither, as with `privateApi` where it is not given. [dashboard.md](../operate/dashboard.md)',
  },
  {
    name: 'dashboardDomain',
    meaning:
      'A domain of your own for the dashboard; the output `DashboardDomainTarget` goes into its DNS record',
  },
  {
    name: 'dashboardCertificateArn',
    meaning: `Its certificate of ACM: in ${cloudFrontRegion} for CloudFront, in the region of the stack with \`dashboard=lambda\``,
  },
  {
    name: 'operatorEmail',
    meaning:
      'The address of the first operator, who is invited by mail. Further ones are invited in the dashboard',
  },
  {
    name: 'dashboardMfa',
    meaning:
      '`required`: people sign in with a password and an authenticator app, or with a passkey, and not with a code by mail alone; or `off`',
  },
];

/** Undefined without a dashboard. Throws an Error that names the setting at fault. */
export function readDashboard(text: SettingText, isPrivate: boolean): DashboardSettings | undefined {
  const host = readHost(text('dashboard', isPrivate ? 'false' : 'cloudfront'));
  if (host === 'false') {
    for (const name of ['dashboardDomain', 'dashboardCertificateArn', 'operatorEmail', 'identityProvider'])
      if (text(name, ''))
        throw new Error(`The setting "${name}" has no effect with dashboard=false: leave it out.`);
    return undefined;
  }
  return {
    host,
    domain: readDashboardDomain(text, host),
    operatorEmail: matching('operatorEmail', text('operatorEmail', ''), mailAddress, 'a mail address'),
    needsTwoFactors: oneOf('dashboardMfa', text('dashboardMfa', 'off'), ['off', 'required']) === 'required',
    identityProvider: readIdentityProvider(text),
  };
}

function readHost(value: string) {
  if (value === 'on' || value === 'off')
    throw new Error(
      `The setting "dashboard" chooses where the dashboard is served: ${dashboardHosts.join(', ')}. That of CloudWatch is now "cloudWatchDashboard".`,
    );
  return oneOf('dashboard', value, dashboardHosts);
}

function readDashboardDomain(text: SettingText, host: DashboardHost): Domain | undefined {
  const domain = domainOf(text, { name: 'dashboardDomain', certificate: 'dashboardCertificateArn' });
  if (host === 'cloudfront' && domain && domain.certificateArn.split(':')[3] !== cloudFrontRegion)
    throw new Error(
      `The setting "dashboardCertificateArn" must be of ${cloudFrontRegion}, where CloudFront looks for certificates, not "${domain.certificateArn}".`,
    );
  return domain;
}
