/**
 * Where the services of AWS are, as its SDKs find them: by the partition of the region, with the forms for FIPS and for both versions of
 * IP, or at another address that a variable has (a VPC endpoint, or a stand-in for tests). Nothing of a request takes part in it.
 * Sources: the endpoint rules of botocore (`data/<service>/endpoint-rule-set-1.json`); AWS SDKs and Tools reference guide,
 * "Service-specific endpoints", "Dual-stack and FIPS endpoints".
 */
import type { AwsService, FindEndpoint } from '../../core/ports/aws.ts';
import { partitionOf } from './aws-partitions.ts';

interface ServiceRow {
  /** What its own variable is called after `AWS_ENDPOINT_URL_`. */
  readonly variable: string;
  /** Which hosts of `us-gov` regions are those for FIPS without being named so. */
  readonly fipsByItself?: 'one version of IP' | 'both';
  /** The form of its hosts for both versions of IP, where they have one of their own. */
  readonly dualStack?: string;
}

/** Of a host; `*` is where `-fips` goes. */
const form = '<service>*.<region>.<suffix>';
const dualStackFormat = '<service>*.<region>.<dualStackSuffix>';

const services: Readonly<Record<AwsService, ServiceRow>> = {
  apigateway: { variable: 'API_GATEWAY' },
  bedrock: { variable: 'BEDROCK' },
  'bedrock-runtime': { variable: 'BEDROCK_RUNTIME' },
  cloudformation: { variable: 'CLOUDFORMATION', fipsByItself: 'one version of IP' },
  'cognito-idp': { variable: 'COGNITO_IDENTITY_PROVIDER' },
  dynamodb: { variable: 'DYNAMODB', fipsByItself: 'one version of IP' },
  events: { variable: 'EVENTBRIDGE', fipsByItself: 'both' },
  kms: { variable: 'KMS' },
  lambda: { variable: 'LAMBDA' },
  logs: { variable: 'CLOUDWATCH_LOGS', fipsByItself: 'one version of IP' },
  monitoring: { variable: 'CLOUDWATCH', fipsByItself: 'both' },
  s3: { variable: 'S3', dualStack: '<service>*.dualstack.<region>.<suffix>' },
  scheduler: { variable: 'SCHEDULER' },
  // Its hosts have both versions.
  secretsmanager: { variable: 'SECRETS_MANAGER', dualStack: form },
  servicequotas: { variable: 'SERVICE_QUOTAS', fipsByItself: 'one version of IP' },
  sns: { variable: 'SNS', fipsByItself: 'one version of IP' },
  ssm: { variable: 'SSM', fipsByItself: 'one version of IP' },
  'streams.dynamodb': {
    variable: 'DYNAMODB_STREAMS',
    fipsByItself: 'one version of IP',
    dualStack: 'streams-dynamodb*.<region>.<dualStackSuffix>',
  },
  sts: { variable: 'STS', fipsByItself: 'one version of IP' },
};

type Variables = Readonly<Record<string, string | undefined>>;

/** `region`: that of calls that name none. Throws Error that names the invalid variable, never its value. */
export function createEndpoints(region: string, variables: Variables = {}): FindEndpoint {
  const fips = isOn(variables, 'AWS_USE_FIPS_ENDPOINT');
  const dualStack = isOn(variables, 'AWS_USE_DUALSTACK_ENDPOINT');
  const isFixed = isOn(variables, 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS');
  return (service, calledRegion = region) => {
    const given = isFixed ? undefined : givenEndpoint(service, variables);
    return given ?? `https://${hostOf(service, { region: calledRegion, fips, dualStack })}`;
  };
}

/** The address of a bucket, as the SDKs form it: a part of the host, or of the path where the host is a number. */
export function bucketEndpoint(endpointOf: FindEndpoint, bucket: string): string {
  const url = new URL(endpointOf('s3'));
  const isNumber = /^(?:[\d.]+|\[.*\])$/.test(url.hostname);
  if (isNumber) return `${withoutSlash(url.href)}/${bucket}`;
  url.host = `${bucket}.${url.host}`;
  return withoutSlash(url.href);
}

interface Choice {
  readonly region: string;
  readonly fips: boolean;
  readonly dualStack: boolean;
}

function hostOf(service: AwsService, { region, fips, dualStack }: Choice): string {
  const partition = partitionOf(region);
  const { fipsByItself, dualStack: ownFormat = dualStackFormat } = services[service];
  const isPlain =
    partition.name === 'aws-us-gov' && (dualStack ? fipsByItself === 'both' : fipsByItself !== undefined);
  const parts: Readonly<Record<string, string>> = { service, region, ...partition };
  return (dualStack ? ownFormat : form)
    .replace('*', fips && !isPlain ? '-fips' : '')
    .replaceAll(/<(\w+)>/g, (_, name: string) => parts[name] ?? '');
}

/** Its own variable comes first. An empty one counts as unset. */
function givenEndpoint(service: AwsService, variables: Variables): string | undefined {
  const all = 'AWS_ENDPOINT_URL';
  const name = [`${all}_${services[service].variable}`, all].find((each) => variables[each]?.trim());
  return name && checkUrl(name, variables[name]);
}

function checkUrl(name: string, value: string | undefined): string {
  const url = URL.parse(value?.trim() ?? '');
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain && /^https?:$/.test(url.protocol)) return withoutSlash(url.href);
  throw new Error(`${name} must be an http or https address without a user, a query and a fragment.`);
}

function isOn(variables: Variables, name: string): boolean {
  const value = variables[name]?.trim().toLowerCase();
  if (!value || value === 'false') return false;
  if (value === 'true') return true;
  throw new Error(`${name} must be true or false.`);
}

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
