/** The stack with `compute=fargate`: a server in tasks behind a load balancer, with the permissions that the functions have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operations } from '../../lib/core/operations.ts';
import { tables } from '../../lib/core/tables.ts';
import { type Properties, readStack, type TemplateReader } from './read-template.ts';
import { fargateDefaults, makeStack } from './synthesize.ts';

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d-1111';
const domain = { name: 'ai.example.com', certificateArn };
const onFargate = { compute: 'fargate', fargate: fargateDefaults, domain } as const;

const fargate = readStack(onFargate);
const { template, outputs, ofType, propertiesOf, only } = fargate;

type Attributes = readonly { readonly Key: string; readonly Value: string }[];
const asObject = (attributes: unknown) =>
  Object.fromEntries((attributes as Attributes).map(({ Key, Value }) => [Key, Value]));

const containerOf = ({ only: one }: TemplateReader) =>
  one('AWS::ECS::TaskDefinition').Properties.ContainerDefinitions[0];
const variablesOf = (from: TemplateReader): Readonly<Record<string, unknown>> =>
  Object.fromEntries(containerOf(from).Environment.map(({ Name, Value }: Properties) => [Name, Value]));

const longestSeconds = Math.max(...operations.map(({ timeoutSeconds }) => timeoutSeconds));

describe('what there is', () => {
  test('no API and no function of an operation; the aggregator and the seed are as elsewhere', () => {
    expect(Object.values(template.toJSON().Resources).map((each) => (each as { Type: string }).Type)).toEqual(
      expect.not.arrayContaining([expect.stringContaining('ApiGateway')]),
    );
    const described = propertiesOf('AWS::Lambda::Function').map(({ Description }) => Description);
    // The last one is the library's, of the trigger.
    expect(described.sort()).toEqual([
      'Adds up the ledger, settles limits, and finishes interrupted requests',
      'Writes the models that ship with the gateway into the catalog',
      undefined,
    ]);
  });

  test('the outputs have the names that the command line reads, and the address of the domain', () => {
    expect(Object.keys(outputs).sort()).toEqual([...Object.keys(readStack().outputs), 'DomainTarget'].sort());
    expect(outputs.OpenAiBaseUrl?.Value).toBe('https://ai.example.com/v1');
    expect(outputs.AnthropicBaseUrl?.Value).toBe('https://ai.example.com');
    expect(JSON.stringify(outputs.DomainTarget?.Value)).toContain('DNSName');
  });

  test('every log expires after a month', () => {
    for (const { RetentionInDays } of propertiesOf('AWS::Logs::LogGroup')) expect(RetentionInDays).toBe(30);
  });

  test('records that are lost or have no price are counted in the log of the server', () => {
    const { 'awslogs-group': group } = containerOf(fargate).LogConfiguration.Options;
    const filters = propertiesOf('AWS::Logs::MetricFilter').filter(({ LogGroupName }) =>
      isDeepStrictEqual(LogGroupName, group),
    );
    expect(filters.map(({ FilterPattern }) => FilterPattern).sort()).toEqual([
      '{ $.message = "usage cost differs" }',
      '{ $.message = "usage record lost" }',
      '{ $.message = "usage unpriced" }',
    ]);
  });
});

describe('the role of the tasks', () => {
  /** One text for each action on each resource, with its condition; those of logs left out. */
  function permissionsOf(from: TemplateReader, isMeant: (role: string) => boolean): Set<string> {
    const statements = from.policies().flatMap(([role, statements]) => (isMeant(role) ? statements : []));
    const texts = statements.flatMap(({ Action, Resource, Condition }) =>
      [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((on) => JSON.stringify([action, on, Condition ?? null]))),
    );
    return new Set(texts.filter((text) => !text.startsWith('["logs:')));
  }

  test.each([
    { name: 'with keys of AWS', props: {} },
    {
      name: "with the operator's key",
      props: { kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666' },
    },
  ])(
    '$name, allows what the functions of all operations may, with their conditions, and nothing else',
    ({ props }) => {
      const isOther = (id: string) => /^(Aggregator|Background|BatchesWorker|CatalogSeed|AWSCDK)/.test(id);
      const allowed = permissionsOf(readStack({ ...onFargate, ...props }), (id) =>
        id.startsWith('GatewayServerRole'),
      );
      const ofFunctions = permissionsOf(readStack(props), (id) => !isOther(id));
      expect(allowed.size).toBeGreaterThan(10);
      const isGroup = (text: string) => text.startsWith('["dynamodb:BatchWriteItem"');
      // A function has one request at a time, whose records it writes one by one.
      expect([...allowed].filter(isGroup)).toHaveLength(1);
      // A server creates responses in the background itself, and tells their ends.
      const isStart = (text: string) => text.startsWith('["lambda:InvokeFunction"');
      const isEvent = (text: string) => text.includes('webhook#*');
      expect([...allowed].filter((text) => !isGroup(text) && !isEvent(text)).sort()).toEqual(
        [...ofFunctions].filter((text) => !isStart(text)).sort(),
      );
    },
  );

  test('is for tasks of this account only', () => {
    const [, role] = ofType('AWS::IAM::Role').find(([id]) => id.startsWith('GatewayServerRole')) ?? [];
    expect(role?.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'ecs-tasks.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });
});

describe('the container', () => {
  test('has no rights: another user than root, no capability, a file system that it cannot write', () => {
    expect(containerOf(fargate)).toMatchObject({
      User: '65532:65532',
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
    });
    expect(containerOf(fargate)).not.toHaveProperty('Privileged');
    expect(only('AWS::ECS::TaskDefinition').Properties).toMatchObject({
      Cpu: '1024',
      Memory: '2048',
      RuntimePlatform: { CpuArchitecture: 'ARM64' },
    });
  });

  test('is built for the processors that it runs on', () => {
    const settings = { ...onFargate, fargate: { ...fargateDefaults, architecture: 'x64' } } as const;
    const { directory } = makeStack(settings).app.synth();
    const assets = JSON.parse(readFileSync(join(directory, 'ModelGateway.assets.json'), 'utf8'));
    const [image] = Object.values(assets.dockerImages) as { source: object }[];
    expect(image?.source).toMatchObject({ platform: 'linux/amd64' });
    const { Properties } = readStack(settings).only('AWS::ECS::TaskDefinition');
    expect(Properties).toMatchObject({ RuntimePlatform: { CpuArchitecture: 'X86_64' } });
  });

  test('knows its tables and the path of keys, and no secret', () => {
    const variables = variablesOf(fargate);
    for (const { environmentVariable } of Object.values(tables))
      expect(JSON.stringify(variables[environmentVariable])).toContain('TableName"');
    expect(variables).toMatchObject({
      AWS_REGION: { Ref: 'AWS::Region' },
      PROVIDER_PARAMETERS_PREFIX: '/ModelGateway/providers',
      GATEWAY_LEDGER_DAYS: '90',
      GATEWAY_CACHE_SECONDS: '3600',
      HOST: '0.0.0.0',
      PORT: '8080',
    });
    expect(containerOf(fargate)).not.toHaveProperty('Secrets');
    expect(
      Object.keys(variables).filter((name) => /_KEY$|SECRET|TOKEN|PASSWORD|CREDENTIALS/.test(name)),
    ).toEqual([]);
  });

  test('has a process for each processor, and writes its log without waiting', () => {
    expect(variablesOf(fargate).GATEWAY_WORKERS).toBe('1');
    const large = readStack({
      ...onFargate,
      fargate: { ...fargateDefaults, cpu: 4_096, memory: 8_192 },
    });
    expect(variablesOf(large).GATEWAY_WORKERS).toBe('4');
    expect(containerOf(fargate).LogConfiguration).toMatchObject({ Options: { mode: 'non-blocking' } });
  });

  test('pages that may call the gateway are known to it', () => {
    const corsOrigins = ['https://app.example.com'];
    const found = variablesOf(readStack({ ...onFargate, corsOrigins }));
    expect(found.GATEWAY_CORS_ORIGINS).toBe('https://app.example.com');
  });
});

describe('no request is cut', () => {
  const attributes = asObject(
    only('AWS::ElasticLoadBalancingV2::LoadBalancer').Properties.LoadBalancerAttributes,
  );
  const target = only('AWS::ElasticLoadBalancingV2::TargetGroup').Properties;
  const idle = Number(attributes['idle_timeout.timeout_seconds']);

  test('while it waits: a connection may be silent for longer than the longest operation takes', () => {
    expect(idle).toBeGreaterThan(longestSeconds);
  });

  test('by a connection that the server closes while the load balancer uses it', () => {
    expect(Number(variablesOf(fargate).GATEWAY_KEEP_ALIVE_SECONDS)).toBeGreaterThan(idle);
  });

  test('by a deployment: a task has the longest time of an operation to end its requests, before it is stopped', () => {
    const { 'deregistration_delay.timeout_seconds': delay } = asObject(target.TargetGroupAttributes);
    expect(Number(delay)).toBeGreaterThanOrEqual(longestSeconds);
    const { StopTimeout: stop } = containerOf(fargate);
    expect(stop).toBe(120);
    expect(Number(variablesOf(fargate).GATEWAY_DRAIN_SECONDS)).toBeLessThan(Number(stop) - 10);
  });

  test('by a new version that does not work: it is taken back, and the old tasks stay until then', () => {
    expect(only('AWS::ECS::Service').Properties).toMatchObject({
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
      },
    });
  });

  test('by a short fault of the database: a task is replaced after minutes, not seconds', () => {
    expect(target).toMatchObject({ HealthCheckPath: '/readyz' });
    const seconds = Number(target.HealthCheckIntervalSeconds) * Number(target.UnhealthyThresholdCount);
    expect(seconds).toBeGreaterThanOrEqual(300);
  });
});

describe('who reaches what', () => {
  const inbound = (from: TemplateReader) =>
    from
      .propertiesOf('AWS::EC2::SecurityGroup')
      .flatMap(({ SecurityGroupIngress = [] }) => SecurityGroupIngress)
      .map(({ CidrIp, FromPort }) => `${CidrIp} ${FromPort}`);

  test('callers reach the load balancer, by TLS 1.2 or newer only', () => {
    expect(inbound(fargate)).toEqual(['0.0.0.0/0 443']);
    expect(only('AWS::ElasticLoadBalancingV2::Listener').Properties).toMatchObject({
      Port: 443,
      Protocol: 'HTTPS',
      SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09',
      Certificates: [{ CertificateArn: certificateArn }],
    });
    expect(only('AWS::ElasticLoadBalancingV2::LoadBalancer').Properties.Scheme).toBe('internet-facing');
  });

  test('only the load balancer reaches the tasks', () => {
    const { Properties } = only('AWS::EC2::SecurityGroupIngress');
    expect(Properties).toMatchObject({ FromPort: 8080, ToPort: 8080 });
    expect(JSON.stringify(Properties.SourceSecurityGroupId)).toContain('OfBalancer');
    expect(JSON.stringify(Properties.GroupId)).toContain('OfTasks');
  });

  test('calls of the tables stay in the network, and no address is translated', () => {
    template.resourceCountIs('AWS::EC2::NatGateway', 0);
    template.resourceCountIs('AWS::EC2::Subnet', 2);
    const services = propertiesOf('AWS::EC2::VPCEndpoint');
    expect(services.map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(['Gateway', 'Gateway']);
    expect(JSON.stringify(services)).toContain('.dynamodb');
  });

  test('with a private load balancer, only private networks do, and a certificate is not needed', () => {
    const own = readStack({
      ...onFargate,
      domain: undefined,
      fargate: { ...fargateDefaults, balancer: 'private' },
    });
    expect(inbound(own)).toEqual(['10.0.0.0/8 80', '172.16.0.0/12 80', '192.168.0.0/16 80']);
    const { Properties } = own.only('AWS::ElasticLoadBalancingV2::LoadBalancer');
    expect(Properties.Scheme).toBe('internal');
    expect(JSON.stringify(own.outputs.OpenAiBaseUrl)).toMatch(/"http:\/\/".*DNSName.*"\/v1"/);
  });
});

describe('the number of tasks', () => {
  test('follows the load of processors and the requests, within the settings', () => {
    const own = readStack({
      ...onFargate,
      fargate: { ...fargateDefaults, tasks: { min: 3, max: 40 }, cpu: 2_048, memory: 4_096 },
    });
    expect(own.only('AWS::ApplicationAutoScaling::ScalableTarget').Properties).toMatchObject({
      MinCapacity: 3,
      MaxCapacity: 40,
    });
    const policies = own.propertiesOf('AWS::ApplicationAutoScaling::ScalingPolicy');
    // Two processes, of 1,000 requests at a time with 20 s each.
    expect(
      policies.map(({ TargetTrackingScalingPolicyConfiguration: { TargetValue } }) => TargetValue).sort(),
    ).toEqual([60, 6_000]);
  });

  test('is not set back by a deployment', () => {
    expect(only('AWS::ECS::Service').Properties).not.toHaveProperty('DesiredCount');
  });
});
