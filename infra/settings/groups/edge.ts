/** What stands between callers and the gateway: its domain, a web ACL, and the network that it can be reached from. */
import { isTrue, listOf, matching, type SettingRow, type SettingText, wholeNumber } from '../values.ts';

/** A domain of the operator for the API, with a certificate of the same region. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

export const domainRows: readonly SettingRow[] = [
  {
    name: 'domainName',
    meaning: 'A domain of your own; the output `DomainTarget` goes into its DNS record',
  },
  { name: 'certificateArn', meaning: 'Its certificate of ACM, in the region of the stack' },
];

const certificateArn = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;
/** A label has at most 63 characters. */
const hostName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Throws an Error that names the setting at fault. */
export const readDomain = (text: SettingText): Domain | undefined =>
  domainOf(text, { name: 'domainName', certificate: 'certificateArn' });

/** The same of other settings: that of the name and that of the certificate. */
export function domainOf(
  text: SettingText,
  settings: { readonly name: string; readonly certificate: string },
): Domain | undefined {
  const name = matching(text, settings.name, hostName, 'a host name in lower case');
  const given = matching(text, settings.certificate, certificateArn, 'the ARN of a certificate of ACM');
  if (!name && !given) return undefined;
  if (name && given) return { name, certificateArn: given };
  throw new Error(`The settings "${settings.name}" and "${settings.certificate}" go together.`);
}

/** One of the operator's, or ours, which blocks addresses with more than `rate` requests in five minutes. */
export type WebAclSettings = { readonly arn: string } | { readonly rate: number };

export interface EdgeSettings {
  /** `webAclArn` or `waf`, with `wafRate`; none by default. */
  readonly webAcl: WebAclSettings | undefined;
  /** `privateApi`: the VPC endpoints that alone reach the API; by default the API is public. */
  readonly vpcEndpoints: readonly string[];
  /** `disableExecuteApiEndpoint`: whether the API is at `domainName` only. */
  readonly disableExecuteApiEndpoint: boolean;
}

const aclArn = /^arn:aws[a-z-]*:wafv2:[a-z0-9-]+:[0-9]{12}:regional\/webacl\/[\w-]{1,128}\/[0-9a-f-]{36}$/;
const vpcEndpoint = /^vpce-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

/** Source: docs.aws.amazon.com AWS WAF, waf-rule-statement-type-rate-based, "Rate limit". */
const rateRange = { min: 10, max: 2_000_000_000 };

/** More than an office behind one address sends. */
export const wafRate = 3_000;

export const edgeRows: readonly SettingRow[] = [
  { name: 'webAclArn', meaning: 'A regional web ACL of your own before the gateway' },
  {
    name: 'waf',
    meaning:
      '`true`: a web ACL of ours, which blocks addresses that send too many requests, and large bodies without a key',
  },
  {
    name: 'wafRate',
    meaning: 'Requests of one address in five minutes, above which it is blocked; with `waf=true`',
  },
  {
    name: 'privateApi',
    meaning: 'The VPC endpoints (`vpce-…`) that alone reach the API, which is then not public',
    hosts: ['event', 'web'],
    form: 'list',
  },
  {
    name: 'disableExecuteApiEndpoint',
    meaning: '`true`: the API is at `domainName` only',
    hosts: ['event', 'web'],
  },
];

/** Throws an Error that names the setting at fault. */
export function readEdge(text: SettingText, domain: Domain | undefined): EdgeSettings {
  const vpcEndpoints = listOf(text, 'privateApi');
  for (const one of vpcEndpoints)
    matching(() => one, 'privateApi', vpcEndpoint, 'a list of VPC endpoints, vpce-…');
  const disableExecuteApiEndpoint = isTrue(text, 'disableExecuteApiEndpoint');
  if (disableExecuteApiEndpoint && !domain)
    throw new Error(
      'The setting "disableExecuteApiEndpoint" needs "domainName": the API would have no address.',
    );
  if (vpcEndpoints.length > 0 && domain)
    throw new Error(
      'The settings "privateApi" and "domainName" exclude each other: a private API is reached by the address of its endpoint.',
    );
  return { webAcl: readWebAcl(text), vpcEndpoints, disableExecuteApiEndpoint };
}

function readWebAcl(text: SettingText): WebAclSettings | undefined {
  const arn = matching(text, 'webAclArn', aclArn, 'the ARN of a regional web ACL');
  const isOurs = isTrue(text, 'waf');
  const rate = wholeNumber(text, 'wafRate', wafRate, rateRange);
  if (arn && isOurs) throw new Error('The settings "webAclArn" and "waf" exclude each other.');
  if (!isOurs && text('wafRate', '') !== '')
    throw new Error('The setting "wafRate" has no effect without waf=true: leave it out.');
  if (isOurs) return { rate };
  return arn ? { arn } : undefined;
}
