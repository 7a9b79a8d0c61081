/** Whether people have a page for the gateway, how it is served, and how they sign in. */
import { matching, oneOf, type SettingRow, type SettingText } from '../values.ts';
import { type Domain, domainOf } from './edge.ts';
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
    operatorEmail: matching(text, 'operatorEmail', mailAddress, 'a mail address'),
    needsTwoFactors: oneOf(text, 'dashboardMfa', ['off', 'required'], 'off') === 'required',
    identityProvider: readIdentityProvider(text),
  };
}

function readHost(value: string) {
  if (value === 'on' || value === 'off')
    throw new Error(
      `The setting "dashboard" chooses where the dashboard is served: ${dashboardHosts.join(', ')}. That of CloudWatch is now "cloudWatchDashboard".`,
    );
  return oneOf(() => value, 'dashboard', dashboardHosts);
}

function readDashboardDomain(text: SettingText, host: DashboardHost): Domain | undefined {
  const domain = domainOf(text, { name: 'dashboardDomain', certificate: 'dashboardCertificateArn' });
  if (host === 'cloudfront' && domain && domain.certificateArn.split(':')[3] !== cloudFrontRegion)
    throw new Error(
      `The setting "dashboardCertificateArn" must be of ${cloudFrontRegion}, where CloudFront looks for certificates, not "${domain.certificateArn}".`,
    );
  return domain;
}

interface Place {
  readonly regions: RegExp;
  /** What a dashboard may be there; none: it can only be left out. */
  readonly hosts: readonly DashboardSettings['host'][];
}

/**
 * Where a dashboard can be. Sources: docs.aws.amazon.com govcloud-us, govcloud-cog (user pools, with hosts of their own), and
 * getting started there (no CloudFront); docs.amazonaws.cn userguide, cognito (no user pools). Of other partitions it is not known.
 */
const places: readonly Place[] = [
  { regions: /^us-gov-/, hosts: ['lambda'] },
  { regions: /^(?:cn|us-iso[a-z]?|eu-isoe|eusc)-/, hosts: [] },
];

/** Throws an Error that names the setting to use. `region`: undefined while it is not known. */
export function refuseUnavailable(
  dashboard: DashboardSettings | undefined,
  region: string | undefined,
): void {
  const hosts = places.find(({ regions }) => regions.test(region ?? ''))?.hosts;
  if (!dashboard || hosts === undefined || hosts.includes(dashboard.host)) return;
  const [other] = hosts;
  throw new Error(
    other === undefined
      ? `The dashboard needs user pools of Cognito, which ${region} does not have: add -c dashboard=false.`
      : `The setting "dashboard" cannot be "${dashboard.host}" in ${region}: add -c dashboard=${other}, or -c dashboard=false.`,
  );
}
