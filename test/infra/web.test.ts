/** The stack with Web Functions: routes, permissions, secrets, and what stays as it is. */
import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../lib/core/operations.ts';
import { routesOf } from '../../lib/core/routes.ts';
import { servedFunctions } from '../../lib/core/served-functions.ts';
import { isOnWeb, webOperations } from '../../server/web/web-operations.ts';
import { readStack, type TemplateReader } from './read-template.ts';

const withWeb = (originSecret = 1) =>
  readStack({ compute: 'web', web: { environments: 50, concurrency: 64, originSecret } });

const web = withWeb();
const { template, ofType, propertiesOf } = web;
const event = readStack();

describe('routes', () => {
  const methods = propertiesOf('AWS::ApiGateway::Method');
  const onWeb = methods.filter(({ Integration }) => Integration.Type === 'HTTP_PROXY');

  test('the generating operations are streamed from Web Functions, the others from event functions', () => {
    // Each path with and without the version, for its method and for the others.
    expect(onWeb).toHaveLength(4 * webOperations.length);
    expect(methods).toHaveLength(event.propertiesOf('AWS::ApiGateway::Method').length);
    for (const { HttpMethod, Integration } of onWeb) {
      expect(Integration).toMatchObject({
        IntegrationHttpMethod: HttpMethod,
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: 900_000,
      });
    }
    const functions = propertiesOf('AWS::Lambda::Function').map(({ Description }) => Description);
    for (const { method, paths, operations } of servedFunctions)
      expect(functions.includes(`${method} ${paths[0]}`)).toBe(!operations.some(isOnWeb));
  });

  test.each(webOperations)('%s goes to its own endpoint, at the path that was called', (name) => {
    const found = onWeb.map(({ Integration }) => JSON.stringify(Integration.Uri));
    for (const path of routesOf(operationNamed(name)))
      expect(found.filter((uri) => uri.endsWith(`"DomainName"]},"${path}"]]}`))).toHaveLength(2);
  });

  test('each sends the origin secret as a fixed value, which is not in the template', () => {
    for (const { Integration } of onWeb) {
      const { RequestParameters } = Integration;
      expect(Object.keys(RequestParameters ?? {})).toEqual(['integration.request.header.x-origin-secret']);
      expect(JSON.stringify(RequestParameters)).toMatch(
        /"'\{\{resolve:secretsmanager:",\{"Ref":"OriginSecretNumber1\w+"\},":SecretString:::\}\}'"/,
      );
    }
  });
});

const without = (action: string | readonly string[], left: string) =>
  typeof action === 'string' ? action : action.filter((one) => one !== left);

describe('functions', () => {
  test.each(webOperations)(
    '%s has the limits that are set, its bundle, and the time of its operation',
    (name) => {
      const { method, path } = operationNamed(name);
      template.hasResourceProperties('AWS::Lambda::WebFunctionRevision', {
        Description: `${method} ${path}`,
        BuildConfig: { RuntimeConfig: { Runtime: 'nodejs24.x' } },
        ServiceConfig: {
          MaxConcurrencyPerEnvironment: 64,
          TimeoutSeconds: 900,
          EnvironmentVariables: { AWS_LAMBDA_NODEJS_ENTRYPOINT: 'index.mjs', LOG_LEVEL: 'INFO' },
        },
      });
      template.hasResourceProperties('AWS::Lambda::WebFunction', {
        FunctionName: { 'Fn::Join': ['', [`ModelGateway-${name}-`, { Ref: 'AWS::Region' }]] },
      });
    },
  );

  test('each endpoint is limited', () => {
    const endpoints = propertiesOf('AWS::Lambda::WebFunctionEndpoint');
    expect(endpoints).toHaveLength(webOperations.length);
    for (const properties of endpoints)
      expect(properties).toMatchObject({
        AuthType: 'ApplicationManaged',
        ScalingConfig: { MaxEnvironments: 50 },
      });
  });

  test.each(webOperations)('%s has the permissions and the variables of the event function', (name) => {
    const { method, path } = operationNamed(name);
    const { ServiceConfig: service } =
      propertiesOf('AWS::Lambda::WebFunctionRevision').find(
        ({ Description }) => Description === `${method} ${path}`,
      ) ?? {};
    const same = event.functionFor({ method, path });
    const { GATEWAY_ORIGIN_SECRETS, GATEWAY_OPERATION, AWS_LAMBDA_NODEJS_ENTRYPOINT, ...variables } =
      service.EnvironmentVariables;
    expect(GATEWAY_OPERATION).toBe(name);
    expect(GATEWAY_ORIGIN_SECRETS).toEqual({ Ref: expect.stringMatching(/^OriginSecretNumber1/) });
    expect(AWS_LAMBDA_NODEJS_ENTRYPOINT).toBe('index.mjs');
    expect(variables).toEqual(event.variablesOf(same));
    const statements = web.statementsOf(service.ExecutionRoleArn['Fn::GetAtt'][0]);
    const [secret, ...others] = statements.filter(({ Action }) => !isLog(Action));
    expect(secret).toMatchObject({ Action: 'secretsmanager:GetSecretValue', Effect: 'Allow' });
    const expected = event.statementsOf(event.roleOf(same));
    // It writes the records of many requests together.
    const group = 'dynamodb:BatchWriteItem';
    expect(others.flatMap(({ Action }) => Action).filter((one) => one === group)).toHaveLength(1);
    const ofEach = others.map((one) => ({ ...one, Action: without(one.Action, group) }));
    expect(ofEach).toEqual(expected.filter(({ Action }) => !isLog(Action)));
    const [logs] = statements.filter(({ Action }) => isLog(Action));
    expect(logs?.Action).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
    expect(JSON.stringify(logs?.Resource)).toMatch(
      /^\[\{"Fn::GetAtt":\["WebLogs\w+","Arn"\]\},\{"Fn::GetAtt":\["WebRegionLogs\w+","Arn"\]\}\]$/,
    );
  });

  test('they have one log and the twin that Lambda writes beside it, both of which end, and only the first is counted', () => {
    const groups = ofType('AWS::Logs::LogGroup').filter(([id]) => id.startsWith('Web'));
    expect(groups).toHaveLength(2);
    for (const [, { Properties }] of groups) expect(Properties.RetentionInDays).toBe(30);
    const named = groups.filter(([, { Properties }]) => Properties.LogGroupName);
    for (const [id, { Properties }] of named)
      expect(Properties.LogGroupName).toEqual({
        'Fn::Join': ['', [{ Ref: expect.stringMatching(id.slice(0, id.indexOf('Region'))) }, '.local']],
      });
    const filters = ofType('AWS::Logs::MetricFilter').filter(([id]) => id.startsWith('Web'));
    expect(filters).toHaveLength(3);
    expect(filters.map(([, { Properties }]) => JSON.stringify(Properties.LogGroupName)).join()).not.toContain(
      'RegionLogs',
    );
    expect(filters[0]?.[1].Properties.FilterPattern).toBe(
      '{ ($.message = "usage unpriced") || ($.message.message = "usage unpriced") || ($.message = "{*usage unpriced*") }',
    );
  });
});

const isLog = (action: string | readonly string[]) => [action].flat()[0]?.startsWith('logs:');

describe('the origin secret', () => {
  const second = withWeb(2);
  const secretsOf = (from: TemplateReader) =>
    from
      .propertiesOf('AWS::Lambda::WebFunctionRevision')
      .map(({ ServiceConfig }) => ServiceConfig.EnvironmentVariables.GATEWAY_ORIGIN_SECRETS);
  const idOf = (from: TemplateReader, type: string) => from.ofType(type).map(([id]) => id);

  test('with the next number, the functions accept both, and the API sends the new one in a new deployment', () => {
    for (const names of secretsOf(second))
      expect(names).toEqual({
        'Fn::Join': [
          '',
          [
            { Ref: expect.stringMatching(/^OriginSecretNumber2/) },
            ',',
            { Ref: expect.stringMatching(/^OriginSecretNumber1/) },
          ],
        ],
      });
    const [first] = idOf(web, 'AWS::SecretsManager::Secret');
    expect(idOf(second, 'AWS::SecretsManager::Secret')).toContain(first);
    const sent = second
      .propertiesOf('AWS::ApiGateway::Method')
      .map(({ Integration }) => Integration.RequestParameters)
      .filter(Boolean);
    expect(sent.length).toBeGreaterThan(0);
    for (const parameters of sent) expect(JSON.stringify(parameters)).toContain('OriginSecretNumber2');
    expect(idOf(second, 'AWS::ApiGateway::Deployment')).not.toEqual(idOf(web, 'AWS::ApiGateway::Deployment'));
  });

  test('the one before the previous one is no longer there', () => {
    expect(idOf(withWeb(3), 'AWS::SecretsManager::Secret')).toHaveLength(2);
    expect(idOf(web, 'AWS::SecretsManager::Secret')).toHaveLength(1);
  });

  test('consists of letters and digits, which have no meaning in a mapping', () => {
    second.template.allResourcesProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true, RequireEachIncludedType: false },
    });
  });

  test('a deployment updates the functions before the API: the routes depend on them', () => {
    for (const [, { Properties, DependsOn = [] }] of second.ofType('AWS::Lambda::WebFunctionEndpoint')) {
      expect(JSON.stringify(Properties.RevisionWeights)).toMatch(/Revision\w+","RevisionId"/);
      expect(JSON.stringify(DependsOn)).toContain('Role');
    }
  });
});
