/** Where the services of AWS are. The hosts are those that botocore's endpoint rules give (botocore 1.43, 2026-08-07). */
import { describe, expect, test } from 'vitest';
import type { AwsService } from '../../lib/core/ports/aws.ts';
import { bucketEndpoint, createEndpoints } from '../../lib/transport/aws/aws-endpoints.ts';
import { partitionOf } from '../../lib/transport/aws/aws-partitions.ts';

const fips = { AWS_USE_FIPS_ENDPOINT: 'true' };
const dualStack = { AWS_USE_DUALSTACK_ENDPOINT: 'true' };
/** Usual hosts, those for FIPS, those for both versions of IP, and those for both. */
const choices = [{}, fips, dualStack, { ...fips, ...dualStack }];
const hosts = (service: AwsService, region: string) =>
  choices.map((variables) => createEndpoints(region, variables)(service).replace('https://', ''));

describe('in the regions of most accounts', () => {
  test.each([
    ['dynamodb', 'dynamodb', 'dynamodb'],
    ['ssm', 'ssm', 'ssm'],
    ['events', 'events', 'events'],
    ['bedrock-runtime', 'bedrock-runtime', 'bedrock-runtime'],
    ['streams.dynamodb', 'streams.dynamodb', 'streams-dynamodb'],
    ['monitoring', 'monitoring', 'monitoring'],
    ['servicequotas', 'servicequotas', 'servicequotas'],
    ['cognito-idp', 'cognito-idp', 'cognito-idp'],
    ['scheduler', 'scheduler', 'scheduler'],
  ] as const)('hosts of %s', (service, single, dual) => {
    expect(hosts(service, 'eu-central-1')).toEqual([
      `${single}.eu-central-1.amazonaws.com`,
      `${single}-fips.eu-central-1.amazonaws.com`,
      `${dual}.eu-central-1.api.aws`,
      `${dual}-fips.eu-central-1.api.aws`,
    ]);
  });

  test('hosts of Secrets Manager and S3 have one suffix', () => {
    expect(hosts('secretsmanager', 'eu-central-1')).toEqual([
      'secretsmanager.eu-central-1.amazonaws.com',
      'secretsmanager-fips.eu-central-1.amazonaws.com',
      'secretsmanager.eu-central-1.amazonaws.com',
      'secretsmanager-fips.eu-central-1.amazonaws.com',
    ]);
    expect(hosts('s3', 'eu-central-1')).toEqual([
      's3.eu-central-1.amazonaws.com',
      's3-fips.eu-central-1.amazonaws.com',
      's3.dualstack.eu-central-1.amazonaws.com',
      's3-fips.dualstack.eu-central-1.amazonaws.com',
    ]);
  });
});

describe('in GovCloud, hosts for FIPS are', () => {
  test.each(['dynamodb', 'ssm', 'sts', 'sns', 'logs', 'cloudformation', 'servicequotas'] as const)(
    'the default of %s',
    (service) => {
      expect(hosts(service, 'us-gov-west-1')).toEqual([
        `${service}.us-gov-west-1.amazonaws.com`,
        `${service}.us-gov-west-1.amazonaws.com`,
        `${service}.us-gov-west-1.api.aws`,
        `${service}-fips.us-gov-west-1.api.aws`,
      ]);
    },
  );

  test.each(['events', 'monitoring'] as const)('the default of %s, with both versions of IP', (service) => {
    expect(hosts(service, 'us-gov-west-1').slice(1)).toEqual([
      `${service}.us-gov-west-1.amazonaws.com`,
      `${service}.us-gov-west-1.api.aws`,
      `${service}.us-gov-west-1.api.aws`,
    ]);
  });

  test.each(['bedrock-runtime', 'bedrock', 'lambda', 'secretsmanager', 's3'] as const)(
    'others of %s',
    (service) => {
      expect(hosts(service, 'us-gov-west-1')[1]).toBe(`${service}-fips.us-gov-west-1.amazonaws.com`);
    },
  );

  test('the default of the stream', () => {
    expect(hosts('streams.dynamodb', 'us-gov-west-1')).toEqual([
      'streams.dynamodb.us-gov-west-1.amazonaws.com',
      'streams.dynamodb.us-gov-west-1.amazonaws.com',
      'streams-dynamodb.us-gov-west-1.api.aws',
      'streams-dynamodb-fips.us-gov-west-1.api.aws',
    ]);
  });
});

test.each([
  ['eu-central-1', 'aws', 'amazonaws.com', 'api.aws'],
  ['mx-central-1', 'aws', 'amazonaws.com', 'api.aws'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
  ['cn-northwest-1', 'aws-cn', 'amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
  ['us-gov-east-1', 'aws-us-gov', 'amazonaws.com', 'api.aws'],
  ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu', 'api.amazonwebservices.eu'],
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov', 'api.aws.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov', 'api.aws.scloud'],
  ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk', 'api.cloud-aws.adc-e.uk'],
  ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov', 'api.aws.hci.ic.gov'],
  // A region that does not exist yet.
  ['xx-new-1', 'aws', 'amazonaws.com', 'api.aws'],
])('%s is in partition %s', (region, name, suffix, dualStackSuffix) => {
  expect(partitionOf(region)).toEqual({ name, suffix, dualStackSuffix });
  expect(hosts('dynamodb', region)[0]).toBe(`dynamodb.${region}.${suffix}`);
  expect(hosts('ssm', region)[2]).toBe(`ssm.${region}.${dualStackSuffix}`);
});

test('a call may be in another region, and its partition', () => {
  expect(createEndpoints('us-east-1')('bedrock-runtime', 'cn-north-1')).toBe(
    'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
  );
});

describe('a variable with another address', () => {
  const all = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9/' };
  const own = { AWS_ENDPOINT_URL_SSM: ' https://vpce-1.ssm.eu-west-1.vpce.amazonaws.com/ ' };
  const find = (variables: Readonly<Record<string, string>>, service: AwsService = 'ssm') =>
    createEndpoints('eu-west-1', variables)(service);

  test('has precedence over hosts, and the one of a service over the one of all', () => {
    expect(find({ ...all, ...fips })).toBe('http://127.0.0.1:9');
    expect(find({ ...all, ...own })).toBe('https://vpce-1.ssm.eu-west-1.vpce.amazonaws.com');
    expect(find(own, 'dynamodb')).toBe('https://dynamodb.eu-west-1.amazonaws.com');
    expect(find({ ...all, AWS_ENDPOINT_URL_SSM: '' })).toBe('http://127.0.0.1:9');
  });

  test.each([
    ['streams.dynamodb', 'DYNAMODB_STREAMS'],
    ['bedrock-runtime', 'BEDROCK_RUNTIME'],
    ['events', 'EVENTBRIDGE'],
    ['secretsmanager', 'SECRETS_MANAGER'],
    ['monitoring', 'CLOUDWATCH'],
    ['servicequotas', 'SERVICE_QUOTAS'],
    ['cognito-idp', 'COGNITO_IDENTITY_PROVIDER'],
  ] as const)('of %s is named by the id of the service', (service, id) => {
    expect(find({ [`AWS_ENDPOINT_URL_${id}`]: 'http://[::1]:9/aws' }, service)).toBe('http://[::1]:9/aws');
  });

  test('is not used where none is to be', () => {
    const ignored = { ...all, ...own, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'TRUE' };
    expect(find(ignored)).toBe('https://ssm.eu-west-1.amazonaws.com');
  });

  test.each(['nothing', 'ftp://127.0.0.1', 'http://me:secret@127.0.0.1', 'https://a.example/?secret'])(
    'that is none is refused by its name: %s',
    (value) => {
      const refused = () => find({ AWS_ENDPOINT_URL_SSM: value });
      expect(refused).toThrow('AWS_ENDPOINT_URL_SSM must be an http or https address');
      expect(refused).not.toThrow(/secret|nothing|127/);
    },
  );

  test('a choice that is none is refused', () => {
    expect(() => createEndpoints('eu-west-1', { AWS_USE_FIPS_ENDPOINT: 'yes' })).toThrow(
      'AWS_USE_FIPS_ENDPOINT must be true or false.',
    );
  });
});

test.each([
  [{}, 'https://exports.s3.cn-north-1.amazonaws.com.cn'],
  [dualStack, 'https://exports.s3.dualstack.cn-north-1.amazonaws.com.cn'],
  [{ AWS_ENDPOINT_URL_S3: 'http://store.example:9000' }, 'http://exports.store.example:9000'],
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/exports'],
  [{ AWS_ENDPOINT_URL: 'http://[::1]:9000/' }, 'http://[::1]:9000/exports'],
])('a bucket is part of the host, or of the path of a number: %o', (variables, address) => {
  expect(bucketEndpoint(createEndpoints('cn-north-1', variables), 'exports')).toBe(address);
});
