/** What stands between callers and the gateway: a web ACL, and the network that it can be reached from. */

import type { SettingRow } from '../row.ts';
import { matching, oneOf, type SettingText, wholeNumber } from '../values.ts';
import type { Domain } from './domain.ts';

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

const onOff = (text: SettingText, name: string) =>
  oneOf(name, text(name, 'false'), ['true', 'false']) === 'true';

/** Throws an Error that names the setting at fault. */
export function readEdge(text: SettingText, domain: Domain | undefined): EdgeSettings {
  const vpcEndpoints = endpoints('privateApi', text('privateApi', ''));
  const disableExecuteApiEndpoint = onOff(text, 'disableExecuteApiEndpoint');
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
  const arn = matching('webAclArn', text('webAclArn', ''), aclArn, 'the ARN of a regional web ACL');
  const isOurs = onOff(text, 'waf');
  const rate = wholeNumber('wafRate', text('wafRate', `${wafRate}`), rateRange);
  if (arn && isOurs) throw new Error('The settings "webAclArn" and "waf" exclude each other.');
  if (!isOurs && text('wafRate', '') !== '')
    throw new Error('The setting "wafRate" has no effect without waf=true: leave it out.');
  if (isOurs) return { rate };
  return arn ? { arn } : undefined;
}

function endpoints(name: string, value: string): readonly string[] {
  const given = value.split(',').flatMap((part) => part.trim() || []);
  for (const one of given) matching(name, one, vpcEndpoint, 'a list of VPC endpoints, vpce-…');
  return given;
}
