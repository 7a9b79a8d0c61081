/** The stack: routes, tables, the stage with its limits and log, and outputs. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { accessLogFields } from '../../infra/constructs/api/api-stage.ts';
import { operations } from '../../lib/core/operations.ts';
import { methodsOf } from '../../lib/core/routes.ts';
import { type ServedFunction, servedFunctions } from '../../lib/core/served-functions.ts';
import { readStack } from './read-template.ts';

const { template, outputs, ofType, propertiesOf, functionOf, functionFor, only, aliasOf, pathOf } =
  readStack();

describe('routes', () => {
  const methods = propertiesOf('AWS::ApiGateway::Method');

  /** The first operation of a path also answers its unsupported methods. */
  const served = ({ method, operations: [first] }: ServedFunction) =>
    method === 'ANY' || methodsOf(first?.path ?? '', operations)[0] !== method ? [method] : ['ANY', method];
  const aliasFor = ({ operations: [first] }: ServedFunction) => first && aliasOf(functionFor(first));

  test.each(servedFunctions)('$method $paths streams the answer of its own function', (operation) => {
    const own = methods.filter(
      ({ ResourceId, Integration }) =>
        operation.paths.includes(pathOf(ResourceId)) &&
        JSON.stringify(Integration).includes(aliasFor(operation) ?? ''),
    );
    // Once with the version of the API, and most once without.
    const expected = operation.paths.flatMap(() => served(operation));
    expect(own.map(({ HttpMethod }) => HttpMethod).sort()).toEqual(expected.sort());
    for (const { Integration } of own) {
      expect(Integration).toMatchObject({
        Type: 'AWS_PROXY',
        ResponseTransferMode: 'STREAM',
        TimeoutInMillis: operation.timeoutSeconds * 1000,
      });
      expect(JSON.stringify(Integration)).toContain('/response-streaming-invocations');
    }
  });

  test('there are no other routes', () => {
    expect(methods).toHaveLength(
      servedFunctions.flatMap((one) => one.paths.flatMap(() => served(one))).length,
    );
    expect(new Set(methods.map(({ ResourceId }) => pathOf(ResourceId)))).toEqual(
      new Set(servedFunctions.flatMap(({ paths }) => paths)),
    );
  });

  test('HEAD of what can be got reaches the same function', () => {
    for (const { method, path, function: group } of operations)
      if (method === 'GET' && group === undefined) expect(methodsOf(path, operations)[0]).toBe('GET');
  });

  test('API Gateway may invoke a function for routes of this API only', () => {
    const [[api] = []] = ofType('AWS::ApiGateway::RestApi');
    for (const { FunctionName, SourceArn } of propertiesOf('AWS::Lambda::Permission')) {
      const { Ref: called } = FunctionName;
      const found = servedFunctions.find((candidate) => aliasFor(candidate) === called);
      // A rule of the stack invokes what no route leads to.
      if (!found && SourceArn['Fn::GetAtt']) continue;
      expect(found).toBeDefined();
      const source = JSON.stringify(SourceArn);
      expect(source).toMatch(/"\/live\/\*\/\*"\]\]\}$/);
      expect(source).toContain(`{"Ref":"${api}"}`);
    }
  });
});

describe('TLS', () => {
  const enhanced = {
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    EndpointAccessMode: 'STRICT',
  };

  test('is 1.2 or newer at the address of the API', () => {
    // Regional, so that an idle stream is not closed early.
    const EndpointConfiguration = { Types: ['REGIONAL'] };
    expect(only('AWS::ApiGateway::RestApi').Properties).toMatchObject({ ...enhanced, EndpointConfiguration });
    template.resourceCountIs('AWS::ApiGateway::DomainName', 0);
  });

  test('is the same at a domain of the operator, which is then the base URL', () => {
    const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111';
    const own = readStack({ domain: { name: 'ai.example.com', certificateArn } });
    own.template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'ai.example.com',
      RegionalCertificateArn: certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      ...enhanced,
    });
    own.template.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1);
    const { OpenAiBaseUrl, AnthropicBaseUrl, DomainTarget } = own.outputs;
    expect(JSON.stringify(OpenAiBaseUrl?.Value)).toMatch(
      /^\{"Fn::Join":\["",\["https:\/\/",\{"Ref":"\w+"\},"\/v1"\]\]\}$/,
    );
    expect(JSON.stringify(AnthropicBaseUrl?.Value)).toMatch(
      /^\{"Fn::Join":\["",\["https:\/\/",\{"Ref":"\w+"\}\]\]\}$/,
    );
    expect(DomainTarget).toBeDefined();
  });
});

test('the catalog is filled when the function that holds the models changes', () => {
  const [version] =
    ofType('AWS::Lambda::Version').find(([, { Properties }]) =>
      isDeepStrictEqual(Properties.FunctionName, { Ref: functionOf('Writes the models') }),
    ) ?? [];
  template.hasResourceProperties('Custom::Trigger', {
    HandlerArn: { Ref: version },
    InvocationType: 'RequestResponse',
    ExecuteOnHandlerChange: true,
  });
});

describe('stage', () => {
  const stage = only('AWS::ApiGateway::Stage');
  const common = { MetricsEnabled: true, DataTraceEnabled: false, LoggingLevel: 'OFF' };
  const throttle = (rate: number, burst: number) => ({
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
  });
  /** The settings of the methods of a path, without the path. */
  const settingsOf = (path: string) =>
    (stage.Properties.MethodSettings as { ResourcePath: string }[])
      .filter(({ ResourcePath }) => ResourcePath === path)
      .map(({ ResourcePath: _, ...settings }) => settings);

  test('limits all callers together and counts requests, but does not log their content', () => {
    expect(settingsOf('/*')).toEqual([{ HttpMethod: '*', ...common, ...throttle(1000, 500) }]);
  });

  test.each([
    '/v1/models',
    '/models',
    '/v1/models/{model+}',
    '/models/{model+}',
    '/v1/openapi.json',
    '/openapi.json',
  ])('limits %s, which needs no key, on its own', (path) => {
    const own = { ...common, ...throttle(100, 100) };
    const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
    expect(settingsOf(`/${path.replaceAll('/', '~1')}`)).toEqual(
      methods.map((HttpMethod) => ({ HttpMethod, ...own })),
    );
  });

  test('limits no other method on its own', () => {
    expect(stage.Properties.MethodSettings).toHaveLength(1 + 6 * 7);
  });

  test('writes an access log of valid JSON with the times of a stream', () => {
    const { Format } = stage.Properties.AccessLogSetting;
    expect(JSON.parse(Format)).toEqual(accessLogFields);
    expect(Object.values(JSON.parse(Format))).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.integration.responseTransferMode',
        '$context.integration.timeToAllHeaders',
        '$context.integration.timeToFirstContent',
        '$context.integration.latency',
      ]),
    );
    expect(Format).not.toMatch(/authorization|apiKey|body/i);
    template.resourceCountIs('AWS::ApiGateway::Account', 1);
  });
});

test('the outputs have what clients and the CLI need', () => {
  expect(Object.keys(outputs).sort()).toEqual([
    'AccessTable',
    'AnthropicBaseUrl',
    'CatalogTable',
    'FilesTable',
    'LedgerDays',
    'OpenAiBaseUrl',
    'ProviderParametersPrefix',
    'Region',
    'Settings',
    'StateTable',
    'UsageTable',
  ]);
  expect(JSON.stringify(outputs.OpenAiBaseUrl?.Value)).toMatch(/\/v1"\]\]\}$/);
  expect(JSON.stringify(outputs.AnthropicBaseUrl?.Value)).toMatch(/\{"Ref":"\w+"\}\]\]\}$/);
  expect(outputs.ProviderParametersPrefix?.Value).toBe('/ModelGateway/providers');
});
