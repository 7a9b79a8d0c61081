/** What stands between callers and the gateway: a web ACL, VPC endpoints, and whether the API has an address of its own. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { wafRate } from '../../infra/settings/groups/edge.ts';
import { readSettings, type Settings } from '../../infra/settings/settings.ts';
import { readStack } from './read-template.ts';
import { fargateDefaults } from './synthesize.ts';

const read = (context: Record<string, string>) => readSettings(new App({ context }).node);

const arn = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/mine/0a1b2c3d-1111-2222-3333-444455556666';

describe('a web ACL', () => {
  test("of the operator's stands before the stage of the API", () => {
    const { only, ofType } = readStack({ webAcl: { arn } });
    const { ResourceArn, WebACLArn } = only('AWS::WAFv2::WebACLAssociation').Properties;
    expect(WebACLArn).toBe(arn);
    expect(JSON.stringify(ResourceArn)).toMatch(/:apigateway:.*\/restapis\/.*\/stages\//);
    expect(ofType('AWS::WAFv2::WebACL')).toEqual([]);
  });

  test('of ours blocks an address that sends too much, and large bodies without a key', () => {
    const { Rules, DefaultAction, Scope } = readStack({ webAcl: { rate: 500 } }).only(
      'AWS::WAFv2::WebACL',
    ).Properties;
    expect({ DefaultAction, Scope }).toEqual({ DefaultAction: { Allow: {} }, Scope: 'REGIONAL' });
    const [rate, body] = Rules;
    expect(rate.Statement).toEqual({
      RateBasedStatement: { Limit: 500, AggregateKeyType: 'IP', EvaluationWindowSec: 300 },
    });
    expect(body.Statement).toMatchObject({
      AndStatement: {
        Statements: [
          {
            SizeConstraintStatement: {
              ComparisonOperator: 'GT',
              FieldToMatch: { Body: { OversizeHandling: 'MATCH' } },
              Size: 8_192,
            },
          },
          ...['authorization', 'x-api-key', 'api-key'].map((Name) => ({
            NotStatement: {
              Statement: {
                SizeConstraintStatement: {
                  ComparisonOperator: 'GT',
                  FieldToMatch: { SingleHeader: { Name } },
                  Size: 0,
                },
              },
            },
          })),
        ],
      },
    });
    for (const { Action, VisibilityConfig } of [rate, body]) {
      expect(Action).toEqual({ Block: {} });
      // A sample of a request shows its headers, and so its key.
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
    }
  });

  test('stands before the load balancer of Fargate', () => {
    const { only } = readStack({
      compute: 'fargate',
      fargate: { ...fargateDefaults, balancer: 'private' },
      webAcl: { arn },
    });
    const { ResourceArn } = only('AWS::WAFv2::WebACLAssociation').Properties;
    expect(ResourceArn).toEqual({ Ref: expect.stringMatching(/Balancer/) });
  });

  test('is there only if it is asked for', () => {
    const { ofType } = readStack({});
    expect(ofType('AWS::WAFv2::WebACLAssociation')).toEqual([]);
    expect(read({}).webAcl).toBeUndefined();
    expect(read({ waf: 'true' }).webAcl).toEqual({ rate: wafRate });
    expect(read({ waf: 'true', wafRate: '100' }).webAcl).toEqual({ rate: 100 });
  });

  test.each([
    [{ waf: 'true', webAclArn: arn }, '"webAclArn" and "waf" exclude each other'],
    [{ wafRate: '100' }, '"wafRate" has no effect without waf=true'],
    [{ waf: 'true', wafRate: '9' }, '"wafRate" must be a whole number from 10'],
    [{ webAclArn: arn.replace('regional', 'global') }, '"webAclArn" must be the ARN of a regional web ACL'],
  ])('is refused: %j', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});

describe('a private API', () => {
  const vpcEndpoints = ['vpce-0a1b2c3d4e5f60718', 'vpce-11111111'];
  const made = readStack({ vpcEndpoints });
  const { EndpointConfiguration, Policy, ...api } = made.only('AWS::ApiGateway::RestApi').Properties;

  test('is reached by its VPC endpoints alone', () => {
    expect(EndpointConfiguration).toEqual({ Types: ['PRIVATE'], VpcEndpointIds: vpcEndpoints });
    expect(Policy.Statement).toEqual([
      {
        Action: 'execute-api:Invoke',
        Condition: { StringEquals: { 'aws:SourceVpce': vpcEndpoints } },
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Resource: 'execute-api:/*',
      },
    ]);
    // It accepts TLS 1.2 or newer in any case.
    expect(api).not.toHaveProperty('SecurityPolicy');
  });

  test('has an address that needs no private DNS', () => {
    expect(JSON.stringify(made.outputs.OpenAiBaseUrl?.Value)).toMatch(
      /"https:\/\/",\{"Ref":"\w+"\},"-vpce-0a1b2c3d4e5f60718\.execute-api\."/,
    );
  });

  test.each([
    [{ privateApi: 'vpc-123' }, '"privateApi" must be a list of VPC endpoints'],
    [
      {
        privateApi: vpcEndpoints.join(),
        domainName: 'ai.example.com',
        certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
      },
      '"privateApi" and "domainName" exclude each other',
    ],
    [{ disableExecuteApiEndpoint: 'true' }, '"disableExecuteApiEndpoint" needs "domainName"'],
    [
      { compute: 'fargate', balancer: 'private', privateApi: vpcEndpoints.join() },
      'has no effect with compute=fargate',
    ],
  ])('is refused: %j', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});

test('an API with a domain of the operator can be without an address of its own', () => {
  const domain = {
    name: 'ai.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111',
  };
  const apiOf = (settings: Partial<Settings>) =>
    readStack(settings).only('AWS::ApiGateway::RestApi').Properties;
  expect(apiOf({ domain, disableExecuteApiEndpoint: true })).toMatchObject({
    DisableExecuteApiEndpoint: true,
  });
  expect(apiOf({ domain })).toMatchObject({ DisableExecuteApiEndpoint: false });
});
