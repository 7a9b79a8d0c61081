/** The settings of a deployment. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../infra/settings/settings.ts';
import { dashboardDefaults, fargateDefaults } from './synthesize.ts';

/** Without the texts that were given. */
const read = (context: Record<string, unknown>) => {
  const { given: _, ...settings } = readSettings(new App({ context }).node);
  return settings;
};

const defaults = {
  stackName: 'ModelGateway',
  retain: true,
  throttle: { rate: 1000, burst: 500 },
  openThrottle: { rate: 100, burst: 100 },
  reservedConcurrency: new Map(),
  canary: undefined,
  provisioned: new Map(),
  kmsKeyArn: '',
  responseRecovery: true,
  fileDays: 30,
  filesBucket: '',
  batchMode: 'native',
  domain: undefined,
  webAcl: undefined,
  vpcEndpoints: [],
  disableExecuteApiEndpoint: false,
  fips: false,
  dualStack: false,
  replicaRegions: [],
  creditRegion: '',
  compute: 'event',
  web: undefined,
  fargate: undefined,
  ledgerDays: 90,
  cacheSeconds: 3600,
  memory: 256,
  corsOrigins: [],
  alarms: undefined,
  cloudWatchDashboard: false,
  dashboard: dashboardDefaults,
  metrics: undefined,
  exportBucket: '',
  exportFormat: 'focus',
  logLevel: 'INFO',
  logDays: 30,
  tags: new Map(),
  permissionsBoundary: '',
  adopted: new Map(),
  bedrock: { region: '', geography: 'any', marketplace: false },
  otlpEndpoint: '',
  traceProviders: [],
};

test('the default is one gateway that retains its tables', () => {
  expect(read({})).toEqual(defaults);
});

const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111';

test('settings are text on the command line, and may have types in a file', () => {
  const typed = {
    retain: false,
    throttleRate: 20,
    throttleBurst: 5,
    openThrottleRate: 10,
    openThrottleBurst: 20,
    ledgerDays: 30,
    cacheSeconds: 600,
    memory: 256,
    concurrencyQuota: 5_000,
    logDays: 365,
    waf: true,
    wafRate: 500,
    fileDays: 7,
    disableExecuteApiEndpoint: true,
  };
  const texts = {
    stackName: 'Trial',
    logLevel: 'DEBUG',
    corsOrigins: 'https://a.example.com, http://localhost:3000',
    alarmEmail: 'ops@example.com',
    alarmThresholds: 'ServerErrors:2, SlowStreams:off',
    cloudWatchDashboard: 'on',
    dashboard: 'lambda',
    dashboardDomain: 'admin.example.com',
    dashboardCertificateArn: certificateArn,
    operatorEmail: 'ann@example.com',
    dashboardMfa: 'required',
    identityProvider: 'saml',
    identityProviderMetadata: 'https://login.example.com/metadata',
    metrics: 'on',
    metricModels: 'openai/gpt-5, anthropic/claude,openai/gpt-5',
    exportBucket: 'acme-exports',
    exportFormat: 'jsonl',
    filesBucket: 'acme-files',
    batchMode: 'any',
    kmsKeyArn: keyArn,
    responseRecovery: 'off',
    domainName: 'ai.example.com',
    certificateArn,
    tags: 'team=ai, stage=',
    permissionsBoundary: 'TeamBoundary',
    creditRegion: 'eu-west-1',
    reservedConcurrency: 'chat-completions:100, models:10,aggregate:5',
    otlpEndpoint: 'https://otel.example.com:4318',
    traceProviders: 'self-hosted, bedrock',
  };
  const asTexts = Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, `${value}`]));
  for (const given of [typed, asTexts])
    expect(read({ ...texts, ...given })).toEqual({
      ...defaults,
      stackName: 'Trial',
      retain: false,
      throttle: { rate: 20, burst: 5 },
      openThrottle: { rate: 10, burst: 20 },
      reservedConcurrency: new Map([
        ['chat-completions', 100],
        ['models', 10],
        ['aggregate', 5],
      ]),
      kmsKeyArn: keyArn,
      responseRecovery: false,
      domain: { name: 'ai.example.com', certificateArn },
      webAcl: { rate: 500 },
      disableExecuteApiEndpoint: true,
      creditRegion: 'eu-west-1',
      ledgerDays: 30,
      cacheSeconds: 600,
      memory: 256,
      corsOrigins: ['https://a.example.com', 'http://localhost:3000'],
      alarms: {
        email: 'ops@example.com',
        topicArn: '',
        concurrencyQuota: 5_000,
        thresholds: new Map([
          ['ServerErrors', 2],
          ['SlowStreams', undefined],
        ]),
      },
      cloudWatchDashboard: true,
      dashboard: {
        host: 'lambda',
        domain: { name: 'admin.example.com', certificateArn },
        operatorEmail: 'ann@example.com',
        needsTwoFactors: true,
        identityProvider: { kind: 'saml', metadataUrl: 'https://login.example.com/metadata' },
      },
      metrics: { models: ['openai/gpt-5', 'anthropic/claude'] },
      fileDays: 7,
      filesBucket: 'acme-files',
      batchMode: 'any',
      exportBucket: 'acme-exports',
      exportFormat: 'jsonl',
      logLevel: 'DEBUG',
      logDays: 365,
      tags: new Map([
        ['team', 'ai'],
        ['stage', ''],
      ]),
      permissionsBoundary: 'TeamBoundary',
      otlpEndpoint: 'https://otel.example.com:4318',
      traceProviders: ['self-hosted', 'bedrock'],
    });
});

test.each(
  Object.entries({
    retain: ['no'],
    throttleRate: ['0'],
    throttleBurst: ['many'],
    ledgerDays: ['0.5'],
    cacheSeconds: ['-1'],
    memory: ['127', '10241'],
    logLevel: ['loud'],
    fileDays: ['-1', '31', 'long'],
    filesBucket: ['Acme', 'a.b'],
    batchMode: ['live'],
    corsOrigins: ['example.com', 'https://example.com/', '*, https://example.com'],
    alertMail: ['ops@example.com'],
    alarmEmail: ['ops'],
    alarmTopicArn: ['operations'],
    concurrencyQuota: ['10'],
    alarmThresholds: ['ServerErrors:2'],
    cloudWatchDashboard: ['yes'],
    exportBucket: ['my.exports', 'Exports'],
    exportFormat: ['parquet'],
    openThrottleRate: ['0'],
    openThrottleBurst: ['1.5'],
    reservedConcurrency: ['100', 'chat:100', 'models:0', 'models:', 'models=10'],
    kmsKeyArn: ['alias/gateway', 'arn:aws:kms:eu-west-1:123456789012:alias/gateway'],
    responseRecovery: ['false'],
    domainName: ['https://ai.example.com', 'ai.example.com'],
    certificateArn: ['certificate', certificateArn],
    compute: ['lambda'],
    logDays: ['31'],
    tags: ['team', 'aws:team=ai', 'gateway:stack=mine'],
    permissionsBoundary: ['a name', 'arn:aws:iam::123456789012:role/Boundary'],
    otlpEndpoint: [
      'http://otel.example.com',
      'https://user:secret@otel.example.com',
      'https://otel.example.com/?key=secret',
      'datadog',
    ],
    traceProviders: ['openai'],
  }),
)('a wrong %s is refused by name', (name, values) => {
  for (const value of values) expect(() => read({ [name]: value }), value).toThrow(`"${name}"`);
});

test('metrics count listed models by name, so that their number is bounded', () => {
  const many = (count: number, name = 'm') =>
    Array.from({ length: count }, (_, index) => `${name}/${index}`).join();
  expect(read({ metrics: 'on', metricModels: many(50) }).metrics?.models).toHaveLength(50);
  for (const metricModels of [many(51), many(10, 'm'.repeat(200)), 'a model', '-m'])
    expect(() => read({ metrics: 'on', metricModels })).toThrow('"metricModels"');
  expect(() => read({ metricModels: 'openai/gpt-5' })).toThrow('"metricModels" has no effect');
  expect(() => read({ metrics: 'yes' })).toThrow('"metrics"');
  expect(() => read({ compute: 'web', metrics: 'on' })).toThrow('"metrics" has no effect with compute=web');
});

test('alarms go to one place, and have thresholds by the names of the table', () => {
  const alarmEmail = 'ops@example.com';
  const alarmTopicArn = 'arn:aws:sns:eu-west-1:123456789012:operations';
  expect(read({ alarmTopicArn }).alarms).toMatchObject({ email: '', topicArn: alarmTopicArn });
  expect(() => read({ alarmEmail, alarmTopicArn })).toThrow('give one');
  expect(() => read({ alertMail: alarmEmail })).toThrow('"alertMail" is now "alarmEmail"');
  for (const alarmThresholds of ['ServerErrors', 'ServerError:2', 'ServerErrors:many'])
    expect(() => read({ alarmEmail, alarmThresholds })).toThrow('"alarmThresholds"');
  expect(() => read({ alarmEmail, concurrencyQuota: '0' })).toThrow('"concurrencyQuota"');
});
test.each(['Openai', 'all,openai', 'open ai'])(
  'providers whose calls are traced are named or all: not %s',
  (traceProviders) => {
    expect(() => read({ otlpEndpoint: 'cloudwatch', traceProviders })).toThrow('"traceProviders"');
  },
);

describe('a deployment on Fargate', () => {
  const certified = { compute: 'fargate', domainName: 'ai.example.com', certificateArn };

  test('has two to ten tasks of one processor, behind a load balancer that callers reach by TLS', () => {
    expect(read(certified)).toMatchObject({ compute: 'fargate', fargate: fargateDefaults });
  });

  test('has the number and size of tasks that are set', () => {
    const set = {
      minTasks: '20',
      taskCpu: '4096',
      taskMemory: '16384',
      taskArchitecture: 'x64',
      balancer: 'private',
    };
    expect(read({ compute: 'fargate', ...set }).fargate).toEqual({
      tasks: { min: 20, max: 20 },
      cpu: 4_096,
      memory: 16_384,
      architecture: 'x64',
      balancer: 'private',
    });
  });

  test('is refused without a certificate, unless nothing outside of its network reaches it', () => {
    expect(() => read({ compute: 'fargate' })).toThrow('"certificateArn" are needed with compute=fargate');
    expect(read({ compute: 'fargate', balancer: 'private' }).domain).toBeUndefined();
  });

  test.each([
    ['minTasks', '0'],
    ['minTasks', '1001'],
    ['maxTasks', '1'],
    ['maxTasks', '1001'],
    ['taskCpu', '256'],
    ['taskCpu', '1'],
    ['taskMemory', '1024'],
    ['taskMemory', '2500'],
    ['taskMemory', '9216'],
    ['balancer', 'internal'],
    ['taskArchitecture', 'x86'],
  ])('is refused by name with a wrong %s: %s', (name, value) => {
    expect(() => read({ ...certified, [name]: value })).toThrow(`"${name}"`);
  });

  test.each(['throttleRate', 'throttleBurst', 'openThrottleRate', 'openThrottleBurst', 'memory'])(
    'has no %s, and one that is given is refused',
    (name) => {
      expect(() => read({ ...certified, [name]: '512' })).toThrow(
        `"${name}" has no effect with compute=fargate`,
      );
    },
  );

  test('reserves concurrency for its aggregator, and for no operation, which is no function', () => {
    const reserved = read({ ...certified, reservedConcurrency: 'aggregate:5' }).reservedConcurrency;
    expect([...reserved]).toEqual([['aggregate', 5]]);
    expect(() => read({ ...certified, reservedConcurrency: 'models:5' })).toThrow('"reservedConcurrency"');
  });
});

test.each(['minTasks', 'maxTasks', 'taskCpu', 'taskMemory', 'balancer', 'originSecret'])(
  '%s is refused on a host that has no such thing',
  (name) => {
    expect(() => read({ [name]: '2' })).toThrow(`"${name}" has no effect with compute=event`);
  },
);

test('Web Functions have limits of their own', () => {
  expect(read({ compute: 'web' }).web).toEqual({ environments: 50, concurrency: 64, originSecret: 1 });
  const given = { webEnvironments: '200', webConcurrency: '128', originSecret: '3' };
  expect(read({ compute: 'web', ...given }).web).toEqual({
    environments: 200,
    concurrency: 128,
    originSecret: 3,
  });
});

test.each([
  ['webEnvironments', '1'],
  ['webEnvironments', '1001'],
  ['webConcurrency', '0'],
  ['webConcurrency', '129'],
  ['originSecret', '0'],
  ['stackName', 'AStackWhoseWebFunctionsHaveNoName'],
  ['reservedConcurrency', 'chat-completions:100'],
  ['minTasks', '2'],
])('a wrong %s of Web Functions is refused by name', (name, value) => {
  expect(() => read({ compute: 'web', [name]: value })).toThrow(`"${name}"`);
});
