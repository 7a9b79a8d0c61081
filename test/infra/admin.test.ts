/** The stack of the dashboard: its routes and who passes, sign-in, the page, and what it costs the other stacks. */
import { describe, expect, test } from 'vitest';
import { pageRequest } from '../../infra/constructs/dashboard/page-request.ts';
import { adminOperations, deployedAdminOperations } from '../../lib/core/admin/admin-operations.ts';
import { routesOf } from '../../lib/core/routes.ts';
import { adminGatewayResponses } from '../../server/http/gateway-responses.ts';
import { everyDashboard, everyHost, everything } from './everything.ts';
import { readStack, type TemplateReader } from './read-template.ts';
import { dashboardDefaults, makeStack } from './synthesize.ts';

const made = makeStack({ dashboard: dashboardDefaults });
const all = { ...everything, ...everyHost[0] };
const admin = readStack({ dashboard: dashboardDefaults }, 'admin');
const { template, ofType, propertiesOf, only, functionFor } = admin;
const withAll = readStack(all, 'admin');
const lambda = readStack({ dashboard: everyDashboard.lambda, retain: false }, 'admin');

/** More would leave too little for the next operations: a stack has at most 500. */
const mostResources = 450;

test('each stack has room for more resources', () => {
  const sizeOf = (read: TemplateReader) => Object.keys(read.template.toJSON().Resources).length;
  for (const read of [readStack({ dashboard: dashboardDefaults }), admin, withAll, lambda])
    expect(sizeOf(read)).toBeLessThan(mostResources);
  // A canary has an alarm for each function.
  expect(sizeOf(readStack(all))).toBeLessThan(mostResources + 30);
});

describe('routes', () => {
  const methodsIn = ({ propertiesOf: find, pathOf }: TemplateReader) =>
    find('AWS::ApiGateway::Method').map((found) => ({
      path: pathOf(found.ResourceId),
      method: found.HttpMethod,
      authorizer: found.AuthorizationType,
      integration: found.Integration,
    }));

  const operations = deployedAdminOperations.filter(({ name }) => name.startsWith('admin-'));

  test.each(operations)('$method $path is served by its function, which checks who calls', (operation) => {
    const serving = adminOperations.find(({ name }) => name === operation.servedBy) ?? operation;
    const served = `"${functionFor(serving)}"`;
    const own = methodsIn(admin).filter(
      ({ method, integration }) =>
        method === operation.method && JSON.stringify(integration).includes(served),
    );
    const routed = operations.filter(
      (one) => one.method === operation.method && (one.servedBy ?? one.name) === serving.name,
    );
    expect(own.map(({ path }) => path).sort()).toEqual(routed.flatMap(routesOf).sort());
    for (const { authorizer, integration } of own) {
      expect(authorizer).toBe('NONE');
      expect(integration).toMatchObject({
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: operation.timeoutSeconds * 1_000,
      });
    }
  });

  test('what makes sense on a server only has no function', () => {
    const local = adminOperations.filter(({ onServersOnly }) => onServersOnly).flatMap(routesOf);
    expect(methodsIn(admin).filter(({ path }) => local.includes(path))).toEqual([]);
  });

  test('files of the page have a function only where CloudFront has none of them', () => {
    const paths = (of: TemplateReader) => methodsIn(of).map(({ path }) => path);
    expect(paths(admin).filter((path) => path.startsWith('/dashboard'))).toEqual([]);
    expect(paths(lambda)).toContain('/dashboard/{file+}');
  });

  test('the playground may be called by pages of CloudFront, and of no other origin', () => {
    const preflights = methodsIn(admin).filter(({ method }) => method === 'OPTIONS');
    expect(preflights.map(({ path }) => path)).toEqual(['/admin/v1/playground/chat/completions']);
    const playground = functionFor({ method: 'POST', path: '/admin/v1/playground/chat/completions' });
    expect(JSON.stringify(admin.variablesOf(playground).GATEWAY_CORS_ORIGINS)).toContain('DomainName');
    expect(methodsIn(lambda).filter(({ method }) => method === 'OPTIONS')).toEqual([]);
  });

  test('what API Gateway answers by itself is in our shape, and names one who is signed out', () => {
    template.resourceCountIs('AWS::ApiGateway::GatewayResponse', adminGatewayResponses.length);
    template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: 'UNAUTHORIZED',
      StatusCode: '401',
    });
    const unauthorized = propertiesOf('AWS::ApiGateway::GatewayResponse').find(
      ({ ResponseType }) => ResponseType === 'UNAUTHORIZED',
    );
    expect(JSON.stringify(unauthorized)).toContain('signed_out');
  });

  test('the role for access logs is made here only where the stack of the gateway has none', () => {
    template.resourceCountIs('AWS::ApiGateway::Account', 0);
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    expect(only('AWS::ApiGateway::Stage').Properties.AccessLogSetting).toBeDefined();
  });
});

describe('sign-in', () => {
  test('is for people who are invited, by a code or a passkey, and the pool is kept', () => {
    const { Properties, DeletionPolicy } = only('AWS::Cognito::UserPool');
    expect(Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      DeletionProtection: 'ACTIVE',
      MfaConfiguration: 'OFF',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'] } },
      UserPoolTier: 'ESSENTIALS',
      UsernameAttributes: ['email'],
      WebAuthnUserVerification: 'required',
    });
    expect(Properties).not.toHaveProperty('SmsConfiguration');
    expect(DeletionPolicy).toBe('Retain');
  });

  test('needs two factors where the operator wants it, and the pool goes with retain=false', () => {
    const { Properties, DeletionPolicy } = lambda.only('AWS::Cognito::UserPool');
    expect(Properties).toMatchObject({
      DeletionProtection: 'INACTIVE',
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
      WebAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
    });
    expect(DeletionPolicy).toBe('Delete');
  });

  test('gives the page short tokens by a code, keeps no secret, and lets no one change their tenant', () => {
    const { Properties } = only('AWS::Cognito::UserPoolClient');
    expect(Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      EnableTokenRevocation: true,
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
      GenerateSecret: false,
      IdTokenValidity: 10,
      PreventUserExistenceErrors: 'ENABLED',
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 60 },
      RefreshTokenValidity: 720,
      SupportedIdentityProviders: ['COGNITO'],
      WriteAttributes: ['email', 'name'],
    });
    expect(Properties.ReadAttributes).toContain('custom:tenant');
    const callbacks = JSON.stringify(Properties.CallbackURLs);
    expect(callbacks).toContain('/admin/v1/sign-in/callback');
    expect(callbacks).not.toContain('http://127');
  });

  test('has pages with a style, a group for each role, and no one in them until the operator names someone', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolDomain', { ManagedLoginVersion: 2 });
    template.hasResourceProperties('AWS::Cognito::ManagedLoginBranding', { UseCognitoProvidedValues: true });
    const groups = propertiesOf('AWS::Cognito::UserPoolGroup').map(({ GroupName }) => GroupName);
    expect(groups.sort()).toEqual(['member', 'operator', 'tenant-admin', 'viewer']);
    template.resourceCountIs('AWS::Cognito::UserPoolUser', 0);
    withAll.template.hasResourceProperties('AWS::Cognito::UserPoolUser', { Username: 'ops@example.com' });
    withAll.template.resourceCountIs('AWS::Cognito::UserPoolUserToGroupAttachment', 1);
  });

  test('may be at the provider of a company, whose secret is not in the template', () => {
    withAll.template.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', {
      ProviderType: 'OIDC',
      ProviderDetails: {
        client_secret:
          '{{resolve:secretsmanager:arn:aws:secretsmanager:eu-west-1:123456789012:secret:company-AbCdEf:SecretString:::}}',
      },
    });
    lambda.template.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', { ProviderType: 'SAML' });
  });
});

describe('the page', () => {
  const policy = () => JSON.stringify(only('AWS::CloudFront::ResponseHeadersPolicy').Properties);
  const config = ({ only: one }: TemplateReader) =>
    one('AWS::CloudFront::Distribution').Properties.DistributionConfig;

  test('is in a private bucket that CloudFront alone reads', () => {
    expect(only('AWS::S3::Bucket').Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(JSON.stringify(only('AWS::S3::BucketPolicy'))).toContain('cloudfront.amazonaws.com');
    template.resourceCountIs('AWS::CloudFront::OriginAccessControl', 1);
  });

  test('has headers without unsafe-inline, and may call the playground at the address of the API', () => {
    expect(policy()).not.toContain('unsafe-inline');
    expect(policy()).toMatch(/connect-src 'self' https:\/\/.*execute-api/);
    for (const header of ['cross-origin-opener-policy', 'permissions-policy'])
      expect(policy()).toContain(header);
  });

  test('keeps old assets over a deployment, and comes last with its index, which is not cached', () => {
    const copies = ofType('Custom::CDKBucketDeployment');
    const cached = copies.map(([, { Properties }]) => [Properties.Prune, Properties.SystemMetadata]);
    expect(cached).toEqual([
      [false, { 'cache-control': 'public, max-age=31536000, immutable' }],
      [false, { 'cache-control': 'no-cache' }],
    ]);
    const [assets, index] = copies;
    expect(index?.[1].DependsOn).toContain(assets?.[0]);
  });

  test('passes the admin API on without a cache, with its cookies, and without its host', () => {
    expect(config(admin).CacheBehaviors).toMatchObject(
      ['/admin/*', '/account/*'].map((PathPattern) => ({
        PathPattern,
        AllowedMethods: expect.arrayContaining(['DELETE', 'PATCH', 'POST', 'PUT']),
        // Source: docs.aws.amazon.com CloudFront, using-managed-cache-policies (CachingDisabled) and
        // using-managed-origin-request-policies (AllViewerExceptHostHeader).
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      })),
    );
    expect(JSON.stringify(config(admin).Origins)).toContain('"OriginPath":"/live"');
  });

  test('is at a domain of the operator where one is given', () => {
    expect(config(withAll)).toMatchObject({
      Aliases: ['admin.example.com'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    const { DashboardUrl, DashboardDomainTarget } = withAll.outputs;
    expect(DashboardUrl?.Value).toBe('https://admin.example.com/dashboard/overview');
    expect(DashboardDomainTarget).toBeDefined();
  });

  test.each([
    ['/', 302],
    ['/dashboard', 302],
    ['/dashboard/', 302],
    ['/dashboard/keys', '/dashboard/index.html'],
    ['/dashboard/assets/index-AAAA.js', '/dashboard/assets/index-AAAA.js'],
    ['/dashboard/missing.js', '/dashboard/missing.js'],
    ['/robots.txt', '/robots.txt'],
  ])('at the edge, %s is answered by %s', (uri, expected) => {
    const run = new Function(`${pageRequest}; return handler(arguments[0]);`);
    const answer = run({ request: { uri } });
    expect(answer.statusCode ?? answer.uri).toBe(expected);
    if (answer.statusCode) expect(answer.headers.location.value).toBe('/dashboard/overview');
  });

  test('needs neither CloudFront nor a bucket where a function serves it', () => {
    expect(lambda.text).not.toMatch(/"Type":"AWS::(?:CloudFront|S3)::/);
    expect(JSON.stringify(lambda.outputs.DashboardUrl)).toContain('/live/dashboard/overview');
  });
});

describe('the other stacks', () => {
  test('are made before it, and know nothing of it but that its sums are wanted', () => {
    expect(made.admin.dependencies).toContain(made.stack);
    const { text } = readStack({ dashboard: dashboardDefaults });
    expect(text).not.toContain('ModelGatewayAdmin');
    expect(text.match(/GATEWAY_DASHBOARD_SUMS/g)).toHaveLength(1);
    expect(admin.text).toContain(
      '{"Fn::GetStackOutput":{"StackName":"ModelGateway","OutputName":"OpenAiBaseUrl"}}',
    );
  });

  test('are all there is with dashboard=false, and no sums are kept then', () => {
    const names = makeStack({ dashboard: undefined }).app.node.children.map(({ node }) => node.id);
    expect(names).not.toContain('ModelGatewayAdmin');
    expect(readStack({ dashboard: undefined }).text).not.toContain('GATEWAY_DASHBOARD_SUMS');
  });
});
