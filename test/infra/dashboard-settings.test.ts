/** Settings of the dashboard: what is refused, by the name of the setting at fault, and where a dashboard can be. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { refuseUnavailable } from '../../infra/settings/groups/dashboard.ts';
import { readSettings } from '../../infra/settings/settings.ts';
import { dashboardDefaults } from './synthesize.ts';

const read = (context: Record<string, unknown>) => readSettings(new App({ context }).node).dashboard;

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/0a1b2c3d-1111-2222-3333-444455556666`;

const oidc = {
  identityProvider: 'oidc',
  identityProviderIssuer: 'https://login.example.com',
  identityProviderClientId: 'gateway',
  identityProviderSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:company-AbCdEf',
};
const saml = { identityProvider: 'saml', identityProviderMetadata: 'https://login.example.com/metadata' };

describe('where a dashboard can be', () => {
  const cloudfront = dashboardDefaults;
  const lambda = { ...dashboardDefaults, host: 'lambda' } as const;

  test.each([undefined, 'eu-west-1', 'us-east-1', 'ap-southeast-7', 'unknown'])(
    'anywhere else, as in %s, each is possible',
    (region) => {
      for (const dashboard of [cloudfront, lambda])
        expect(() => refuseUnavailable(dashboard, region)).not.toThrow();
    },
  );

  test.each(['us-gov-west-1', 'us-gov-east-1'])('%s has no CloudFront, and user pools', (region) => {
    expect(() => refuseUnavailable(cloudfront, region)).toThrow(
      `The setting "dashboard" cannot be "cloudfront" in ${region}: add -c dashboard=lambda, or -c dashboard=false.`,
    );
    expect(() => refuseUnavailable(lambda, region)).not.toThrow();
    expect(() => refuseUnavailable(undefined, region)).not.toThrow();
  });

  test.each([
    'cn-north-1',
    'cn-northwest-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'us-isof-south-1',
    'eu-isoe-west-1',
    'eusc-de-east-1',
  ])('%s has no user pools, as far as known', (region) => {
    for (const dashboard of [cloudfront, lambda])
      expect(() => refuseUnavailable(dashboard, region)).toThrow(
        `user pools of Cognito, which ${region} does not have: add -c dashboard=false.`,
      );
    expect(() => refuseUnavailable(undefined, region)).not.toThrow();
  });
});

test.each([
  ['dashboard', 'true'],
  ['dashboard', 's3'],
  ['dashboardMfa', 'on'],
  ['operatorEmail', 'ops'],
  ['operatorEmail', 'ops@example'],
  ['operatorEmail', `${'o'.repeat(65)}@example.com`],
  ['dashboardDomain', 'https://admin.example.com'],
  ['dashboardDomain', 'admin.example.com'],
  ['dashboardCertificateArn', 'certificate'],
  ['dashboardCertificateArn', certificate('us-east-1')],
  ['identityProvider', 'google'],
])('a wrong %s is refused by name: %s', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`"${name}"`);
});

test.each(['on', 'off'])('dashboard=%s, which was that of CloudWatch, names the new setting', (dashboard) => {
  expect(() => read({ dashboard })).toThrow('"cloudWatchDashboard"');
});

test('the certificate for CloudFront is in us-east-1, and that of the API is where the stack is', () => {
  const given = {
    dashboardDomain: 'admin.example.com',
    dashboardCertificateArn: certificate('eu-west-1'),
  };
  expect(() => read(given)).toThrow('"dashboardCertificateArn" must be of us-east-1');
  expect(read({ ...given, dashboard: 'lambda' })?.domain?.name).toBe('admin.example.com');
});

test.each([
  ['dashboardDomain', 'admin.example.com'],
  ['dashboardCertificateArn', certificate('us-east-1')],
  ['operatorEmail', 'ops@example.com'],
  ['identityProvider', 'saml'],
])('%s is refused without a dashboard', (name, value) => {
  expect(() => read({ dashboard: 'false', [name]: value })).toThrow(
    `"${name}" has no effect with dashboard=false`,
  );
});

describe('an identity provider', () => {
  test.each([oidc, saml])('is read whole: $identityProvider', (given) => {
    expect(read(given)?.identityProvider?.kind).toBe(given.identityProvider);
  });

  test.each([
    ['oidc', 'identityProviderIssuer'],
    ['oidc', 'identityProviderClientId'],
    ['oidc', 'identityProviderSecretArn'],
    ['saml', 'identityProviderMetadata'],
  ])('%s needs %s, which has no effect without it', (kind, name) => {
    const given: Record<string, string> = kind === 'oidc' ? oidc : saml;
    const other: Record<string, string> = kind === 'oidc' ? saml : oidc;
    expect(() => read({ ...given, [name]: '' })).toThrow(`"${name}" is needed with identityProvider=${kind}`);
    for (const rest of [{}, other])
      expect(() => read({ ...rest, [name]: given[name] })).toThrow(
        `"${name}" has no effect without identityProvider=${kind}`,
      );
  });

  test.each([
    ['identityProviderIssuer', 'http://login.example.com'],
    ['identityProviderIssuer', 'https://user:secret@login.example.com'],
    ['identityProviderIssuer', 'login.example.com'],
    ['identityProviderClientId', 'a client'],
    ['identityProviderClientId', 'c'.repeat(132)],
    ['identityProviderSecretArn', 'the-secret-itself'],
    ['identityProviderSecretArn', 'arn:aws:ssm:eu-west-1:123456789012:parameter/secret'],
  ])('of OIDC is refused with a wrong %s: %s', (name, value) => {
    expect(() => read({ ...oidc, [name]: value })).toThrow(`"${name}" must be`);
  });

  test.each(['http://login.example.com/metadata', '<EntityDescriptor/>'])(
    'of SAML is refused with metadata at %s',
    (identityProviderMetadata) => {
      expect(() => read({ ...saml, identityProviderMetadata })).toThrow('"identityProviderMetadata" must be');
    },
  );
});
