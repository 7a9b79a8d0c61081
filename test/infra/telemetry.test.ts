/** A stack that sends spans and metrics: what its functions know and may do. */
import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../lib/core/operations.ts';
import { readStack } from './read-template.ts';

function read(given: Parameters<typeof readStack>[0]) {
  const { functionOf, functionFor, variablesOf, statementsOf, roleOf } = readStack(given);
  const telemetryOf = (id: string) =>
    Object.fromEntries(Object.entries(variablesOf(id)).filter(([name]) => /OTEL|OTLP|TRACE/.test(name)));
  const aggregator = functionOf('Adds up the ledger');
  const statements = statementsOf(roleOf(aggregator));
  return {
    aggregator: telemetryOf(aggregator),
    chat: telemetryOf(functionFor(operationNamed('chat-completions'))),
    models: telemetryOf(functionFor(operationNamed('models'))),
    allowed: (service: string) =>
      statements.filter(({ Action }) => [Action].flat().some((one) => one.startsWith(service))),
  };
}

test('by default nothing is sent', () => {
  const { aggregator, chat, allowed } = read({});
  expect({ ...aggregator, ...chat }).toEqual({});
  for (const service of ['xray:', 'ssm:', 'cloudwatch:']) expect(allowed(service)).toEqual([]);
});

describe("with an endpoint of the operator's", () => {
  const url = 'https://otel.example.com';
  const { aggregator, chat, models, allowed } = read({
    otlpEndpoint: url,
    traceProviders: ['self-hosted'],
  });

  test('the aggregator knows it, and may read the one parameter with secret headers', () => {
    expect(aggregator).toEqual({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_SERVICE_NAME: 'ModelGateway',
      OTEL_RESOURCE_ATTRIBUTES: {
        'Fn::Join': ['', ['cloud.provider=aws,cloud.region=', { Ref: 'AWS::Region' }]],
      },
      GATEWAY_OTLP_HEADERS_PARAMETER: '/ModelGateway/telemetry/headers',
    });
    const [statement, other] = allowed('ssm:');
    expect([statement?.Action, other]).toEqual(['ssm:GetParameter', undefined]);
    expect(JSON.stringify(statement?.Resource)).toMatch(/:parameter\/ModelGateway\/telemetry\/headers"/);
    expect(allowed('xray:')).toEqual([]);
  });

  test('operations with records know that there are spans, and which providers are named them', () => {
    expect(chat).toEqual({ OTEL_EXPORTER_OTLP_ENDPOINT: url, GATEWAY_TRACE_PROVIDERS: 'self-hosted' });
    expect(models).toEqual({});
  });
});

test("CloudWatch's endpoints are those of the stack's region and partition, and the role may write to them", () => {
  const { aggregator, chat, allowed } = read({ otlpEndpoint: 'cloudwatch' });
  const at = (service: string, path: string) => ({
    'Fn::Join': ['', [`https://${service}.`, { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }, path]],
  });
  const traces = at('xray', '/v1/traces');
  expect(aggregator).toMatchObject({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: at('monitoring', '/v1/metrics'),
  });
  expect(aggregator).not.toHaveProperty('GATEWAY_OTLP_HEADERS_PARAMETER');
  expect(chat).toMatchObject({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces });
  expect(allowed('xray:')).toEqual([
    expect.objectContaining({ Action: ['cloudwatch:PutMetricData', 'xray:PutTraceSegments'], Resource: '*' }),
  ]);
  expect(allowed('ssm:')).toEqual([]);
});

test('a key of the operator decrypts the parameter for the aggregator', () => {
  const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
  const { allowed } = read({ otlpEndpoint: 'https://otel.example.com', kmsKeyArn });
  expect(JSON.stringify(allowed('kms:Decrypt'))).toContain('parameter/ModelGateway/telemetry/headers');
});
