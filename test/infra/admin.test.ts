/** The stack of the dashboard: its routes and who passes, sign-in, the page, and what it costs the other stacks. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { pageRequest } from '../../infra/constructs/dashboard/page-request.ts';
import { adminOperations, deployedAdminOperations } from '../../lib/core/admin/admin-operations.ts';
import { accountPrefix, routesOf } from '../../lib/core/routes.ts';
import { adminGatewayResponses } from '../../server/http/gateway-responses.ts';
import { everyDashboard, everyHost, everything } from './everything.ts';
import { readTemplate } from './read-template.ts';
import { dashboardDefaults, makeStack } from './synthesize.ts';

const made = makeStack({ dashboard: dashboardDefaults });
const template = Template.fromStack(made.admin);
const whole = makeStack({ ...everything, ...everyHost[0] });
const withAll = Template.fromStack(whole.admin);
const byFunction = makeStack({ dashboard: everyDashboard.lambda, retain: false });
const lambda = Template.fromStack(byFunction.admin);

const { ofType, only, functionFor } = readTemplate(template);

/** More would leave too little for the next operations: a stack has at most 500. */
const mostResources = 450;

test('each stack has room for more resources', () => {
  const gateway = Template.fromStack(made.stack);
  for (const { Resources } of [gateway, template, withAll, lambda].map((one) => one.toJSON()))
    expect(Object.keys(Resources).length).toBeLessThan(mostResources);
  // A canary has an alarm for each function.
  const most = Object.keys(Template.fromStack(whole.stack).toJSON().Resources).length;
  expect(most).toBeLessThan(mostResources + 25);
});

describe('routes', () => {
  /** The path of a method, from the parents of its resource. */
  function pathOf(of: Template, resource: unknown): string {
    const id = (resource as { Ref?: string }).Ref ?? '';
    const found = of.findResources('AWS::ApiGateway::Resource')[id];
    return found ? `${pathOf(of, found.Properties.ParentId)}/${found.Properties.PathPart}` : '';
  }

  const methodsIn = (of: Template) =>
    readTemplate(of)
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => ({
        path: pathOf(of, Properties.ResourceId),
        method: Properties.HttpMethod,
        authorizer: Properties.AuthorizationType,
        integration: Properties.Integration,
      }));

  const operations = deployedAdminOperations.filter(({ name }) => name.startsWith('admin-'));

  test.each(operations)('$method $path is served by its function, to those who signed in', (operation) => {
    const alias = readTemplate(template).aliasOf(functionFor(operation));
    const own = methodsIn(template).filter(
      ({ method, integration }) => method === operation.method && JSON.stringify(integration).includes(alias),
    );
    expect(own.map(({ path }) => path).sort()).toEqual([...routesOf(operation)].sort());
    for (const { path, authorizer, integration } of own) {
      const isOpen = operation.roles === undefined || path.startsWith(accountPrefix);
      expect(authorizer).toBe(isOpen ? 'NONE' : 'COGNITO_USER_POOLS');
      expect(integration).toMatchObject({
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: operation.timeoutSeconds * 1_000,
      });
    }
  });

  test('no other path and no other method passes without a sign-in', () => {
    const open = new Set(
      operations.flatMap((operation) =>
        routesOf(operation).filter((path) => !operation.roles || path.startsWith(accountPrefix)),
      ),
    );
    const passing = methodsIn(template).filter(({ authorizer }) => authorizer !== 'COGNITO_USER_POOLS');
    expect(passing.filter(({ path }) => !open.has(path))).toEqual([]);
  });

  test('what makes sense on a server only has no function', () => {
    const local = adminOperations.filter(({ onServersOnly }) => onServersOnly).flatMap(routesOf);
    expect(methodsIn(template).filter(({ path }) => local.includes(path))).toEqual([]);
  });

  test('files of the page have a function only where CloudFront has none of them', () => {
    const paths = (of: Template) => methodsIn(of).map(({ path }) => path);
    expect(paths(template).filter((path) => path.startsWith('/dashboard'))).toEqual([]);
    expect(paths(lambda)).toContain('/dashboard/{file+}');
  });

  test('the playground may be called by pages of CloudFront, and of no other origin', () => {
    const preflights = methodsIn(template).filter(({ method }) => method === 'OPTIONS');
    expect(preflights.map(({ path }) => path)).toEqual(['/admin/v1/playground/chat/completions']);
    const { Properties } = template.findResources('AWS::Lambda::Function')[
      functionFor({ method: 'POST', path: '/admin/v1/playground/chat/completions' })
    ] ?? { Properties: {} };
    expect(JSON.stringify(Properties.Environment.Variables.GATEWAY_CORS_ORIGINS)).toContain('DomainName');
    expect(methodsIn(lambda).filter(({ method }) => method === 'OPTIONS')).toEqual([]);
  });

  test('what API Gateway answers by itself is in our shape, and names one who is signed out', () => {
    template.resourceCountIs('AWS::ApiGateway::GatewayResponse', adminGatewayResponses.length);
    template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: 'UNAUTHORIZED',
      StatusCode: '401',
    });
    const unauthorized = ofType('AWS::ApiGateway::GatewayResponse').find(
      ([, { Properties }]) => Properties.ResponseType === 'UNAUTHORIZED',
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
    const { Properties, DeletionPolicy } = readTemplate(lambda).only('AWS::Cognito::UserPool');
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
    const groups = ofType('AWS::Cognito::UserPoolGroup').map(([, { Properties }]) => Properties.GroupName);
    expect(groups.sort()).toEqual(['member', 'operator', 'tenant-admin', 'viewer']);
    template.resourceCountIs('AWS::Cognito::UserPoolUser', 0);
    withAll.hasResourceProperties('AWS::Cognito::UserPoolUser', { Username: 'ops@example.com' });
    withAll.resourceCountIs('AWS::Cognito::UserPoolUserToGroupAttachment', 1);
  });

  test('may be at the provider of a company, whose secret is not in the template', () => {
    withAll.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', {
      ProviderType: 'OIDC',
      ProviderDetails: {
        client_secret:
          '{{resolve:secretsmanager:arn:aws:secretsmanager:eu-west-1:123456789012:secret:company-AbCdEf:SecretString:::}}',
      },
    });
    lambda.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', { ProviderType: 'SAML' });
  });
});

describe('the page', () => {
  const policy = () => JSON.stringify(only('AWS::CloudFront::ResponseHeadersPolicy').Properties);
  const config = (of: Template) =>
    readTemplate(of).only('AWS::CloudFront::Distribution').Properties.DistributionConfig as Readonly<
      Record<string, unknown>
    >;

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
    const copies = ofType('Custom::CDKBucketDeployment').map(([id, resource]) => [id, resource] as const);
    const cached = copies.map(([, { Properties }]) => [Properties.Prune, Properties.SystemMetadata]);
    expect(cached).toEqual([
      [false, { 'cache-control': 'public, max-age=31536000, immutable' }],
      [false, { 'cache-control': 'no-cache' }],
    ]);
    const [assets, index] = copies;
    expect(index?.[1].DependsOn).toContain(assets?.[0]);
  });

  test('passes the admin API on without a cache, with its cookies, and without its host', () => {
    expect(config(template).CacheBehaviors).toMatchObject(
      ['/admin/*', '/account/*'].map((PathPattern) => ({
        PathPattern,
        AllowedMethods: expect.arrayContaining(['DELETE', 'PATCH', 'POST', 'PUT']),
        // Source: docs.aws.amazon.com CloudFront, using-managed-cache-policies (CachingDisabled) and
        // using-managed-origin-request-policies (AllViewerExceptHostHeader).
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      })),
    );
    expect(JSON.stringify(config(template).Origins)).toContain('"OriginPath":"/live"');
  });

  test('is at a domain of the operator where one is given', () => {
    expect(config(withAll)).toMatchObject({
      Aliases: ['admin.example.com'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    const { DashboardUrl, DashboardDomainTarget } = withAll.findOutputs('*');
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
    const types = new Set(
      Object.values(lambda.toJSON().Resources).map((one) => (one as { Type: string }).Type),
    );
    for (const type of types) expect(type).not.toMatch(/^AWS::(?:CloudFront|S3)::/);
    expect(JSON.stringify(lambda.findOutputs('*').DashboardUrl)).toContain('/live/dashboard/overview');
  });
});

describe('the other stacks', () => {
  test('are made before it, and know nothing of it but that its sums are wanted', () => {
    expect(made.admin.dependencies).toContain(made.stack);
    const gateway = JSON.stringify(Template.fromStack(made.stack).toJSON());
    expect(gateway).not.toContain('ModelGatewayAdmin');
    expect(gateway.match(/GATEWAY_DASHBOARD_SUMS/g)).toHaveLength(1);
    expect(JSON.stringify(template.toJSON())).toContain(
      '{"Fn::GetStackOutput":{"StackName":"ModelGateway","OutputName":"OpenAiBaseUrl"}}',
    );
  });

  test('are all there is with dashboard=false, and no sums are kept then', () => {
    const none = makeStack({ dashboard: undefined });
    const names = none.app.node.children.map(({ node }) => node.id);
    const gateway = JSON.stringify(Template.fromStack(none.stack).toJSON());
    expect(names).not.toContain('ModelGatewayAdmin');
    expect(gateway).not.toContain('GATEWAY_DASHBOARD_SUMS');
  });
});
