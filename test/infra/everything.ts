/** A gateway with the parts that are off by default, for each kind of host. */
import { dashboardDefaults, fargateDefaults } from './synthesize.ts';

/** With the parts that are off by default. */
export const everything = {
  exportBucket: 'acme-exports',
  bedrock: { region: 'eu-central-1', geography: 'eu,uk', marketplace: true },
  alarms: {
    email: 'ops@example.com',
    topicArn: '',
    concurrencyQuota: 1_000,
    thresholds: new Map<string, number>(),
  },
  cloudWatchDashboard: true,
  metrics: { models: ['openai/gpt-5'] },
  webAcl: { rate: 3_000 },
  reservedConcurrency: new Map([['models', 10]]),
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666',
  responseRecovery: false,
  tags: new Map([['team', 'ai']]),
  permissionsBoundary: 'TeamBoundary',
  otlpEndpoint: 'https://otel.example.com',
  traceProviders: ['self-hosted'],
  domain: {
    name: 'ai.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111',
  },
};

/** Kept started by a schedule, always, and by their use. */
const provisioned = new Map([
  [
    'models',
    { environments: 2, hours: { days: 'MON-FRI', from: '07:00', to: '19:00', timeZone: 'Europe/Berlin' } },
  ],
  ['openapi', { environments: 1 }],
  ['usage-retrieve', { environments: 1, max: 5 }],
]);

const identityProvider = {
  kind: 'oidc',
  issuer: 'https://login.example.com',
  clientId: 'gateway',
  secretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:company-AbCdEf',
} as const;

const dashboardDomain = {
  name: 'admin.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-2222',
};

/** By each way of serving the page, with all that people may sign in with. */
export const everyDashboard = {
  cloudfront: {
    ...dashboardDefaults,
    domain: dashboardDomain,
    operatorEmail: 'ops@example.com',
    identityProvider,
  },
  lambda: {
    ...dashboardDefaults,
    host: 'lambda',
    needsTwoFactors: true,
    identityProvider: { kind: 'saml', metadataUrl: 'https://login.example.com/metadata' },
  },
} as const;

/** On Web Functions with a second secret, as during a rotation. */
export const everyHost = [
  { compute: 'event', canary: '10percent5minutes', provisioned, dashboard: everyDashboard.cloudfront },
  {
    compute: 'web',
    provisioned,
    web: { environments: 50, concurrency: 64, originSecret: 2 },
    dashboard: everyDashboard.lambda,
  },
  { compute: 'fargate', fargate: fargateDefaults, otlpEndpoint: 'cloudwatch' },
] as const;
