/** The tasks: one container each, of the image that the repository describes, as many as the load needs. */
import { Aws, Duration, Size } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  AwsLogDriverMode,
  Capability,
  Cluster,
  type ContainerDefinition,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
  UlimitName,
} from 'aws-cdk-lib/aws-ecs';
import type { ApplicationTargetGroup } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  busyPercent,
  type FargateSettings,
  processesOf,
  provenStreams,
} from '../../settings/groups/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import { Permissions } from '../permissions/permissions.ts';
import { type LogKeeping, logGroup } from '../watching/log-lines.ts';
import { keepAlive } from './fargate-balancer.ts';
import { type FargateNetwork, serverPort } from './fargate-network.ts';

/** From the signal to the end of the process: the longest that AWS allows. Source: docs.aws.amazon.com AmazonECS, stopTimeout. */
const stopTimeout = Duration.seconds(120);

/** What the server takes of it for streams that still run; the rest is for records that are being written. */
const drainSeconds = 100;

/** Without a name in the image, so that no file of its own system matters. */
const user = '65532:65532';

/** Open files: two sockets for each stream, and more for what is kept open. */
const openFiles = 65_535;

/** In a minute: the proven streams, if each takes 20 s. */
const requestsPerProcess = provenStreams * 3;

const platforms = {
  arm64: { cpu: CpuArchitecture.ARM64, image: Platform.LINUX_ARM64 },
  x64: { cpu: CpuArchitecture.X86_64, image: Platform.LINUX_AMD64 },
};

interface FargateServerProps extends Pick<FargateSettings, 'cpu' | 'memory' | 'architecture'> {
  readonly network: FargateNetwork;
  /** The directory of the `Dockerfile`. */
  readonly image: string;
  readonly logLevel: string;
  readonly logs: LogKeeping;
  readonly kmsKeyArn: string;
}

export class FargateServer extends Construct {
  readonly service: FargateService;
  readonly logs: LogGroup;
  readonly permissions: Permissions;

  constructor(scope: Construct, id: string, props: FargateServerProps) {
    super(scope, id);
    const { network, cpu, memory, architecture, kmsKeyArn } = props;
    this.logs = logGroup(this, 'Logs', props.logs);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    });
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu,
      memoryLimitMiB: memory,
      taskRole: role,
      runtimePlatform: {
        cpuArchitecture: platforms[architecture].cpu,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    const container = this.container(task, props);
    this.permissions = new Permissions({
      role,
      kmsKeyArn,
      setVariable: (name, value) => container.addEnvironment(name, value),
    });
    const cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    this.service = new FargateService(this, 'Service', {
      // As with the network's type.
      cluster: cluster as ICluster,
      taskDefinition: task,
      // The number of tasks is the scaling's alone: a deployment would else set it back to the least.
      assignPublicIp: true,
      vpcSubnets: network.subnets,
      securityGroups: [network.ofTasks],
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      healthCheckGracePeriod: Duration.seconds(60),
      circuitBreaker: { rollback: true },
    });
    acknowledge(task, {
      ECS2: 'Names and numbers. Keys of providers are read from the parameter store.',
      'IAM5[Resource::*]': 'The token that pulls images is given for no single repository.',
    });
    acknowledge(cluster, {
      ECS4: 'Its metrics cost by the task. The server logs its own, and AWS counts processor and memory.',
    });
  }

  /** Adds tasks while those there are have much to do. */
  scale(targetGroup: ApplicationTargetGroup, { cpu, tasks: { min, max } }: FargateSettings): void {
    const scaling = this.service.autoScaleTaskCount({ minCapacity: min, maxCapacity: max });
    const cooldown = { scaleOutCooldown: Duration.seconds(60), scaleInCooldown: Duration.minutes(5) };
    scaling.scaleOnCpuUtilization('Processor', { targetUtilizationPercent: busyPercent, ...cooldown });
    scaling.scaleOnRequestCount('Requests', {
      requestsPerTarget: requestsPerProcess * processesOf(cpu),
      targetGroup,
      ...cooldown,
    });
  }

  private container(
    task: FargateTaskDefinition,
    { image, cpu, memory, architecture, logLevel }: FargateServerProps,
  ): ContainerDefinition {
    const linuxParameters = new LinuxParameters(this, 'Linux');
    linuxParameters.dropCapabilities(Capability.ALL);
    const container = task.addContainer('Server', {
      image: ContainerImage.fromAsset(image, { platform: platforms[architecture].image }),
      // The server reads its limit of memory from the container's.
      memoryLimitMiB: memory,
      user,
      readonlyRootFilesystem: true,
      linuxParameters,
      stopTimeout,
      portMappings: [{ containerPort: serverPort }],
      // A slow log must not stop every stream of the process.
      logging: LogDrivers.awsLogs({
        logGroup: this.logs,
        streamPrefix: 'server',
        mode: AwsLogDriverMode.NON_BLOCKING,
        maxBufferSize: Size.mebibytes(25),
      }),
      environment: {
        POWERTOOLS_SERVICE_NAME: 'model-gateway',
        LOG_LEVEL: logLevel,
        AWS_REGION: Aws.REGION,
        PORT: String(serverPort),
        HOST: '0.0.0.0',
        // The load balancer appends the address of the caller.
        GATEWAY_TRUSTED_PROXIES: '1',
        GATEWAY_WORKERS: String(processesOf(cpu)),
        GATEWAY_DRAIN_SECONDS: String(drainSeconds),
        GATEWAY_KEEP_ALIVE_SECONDS: String(keepAlive.toSeconds()),
      },
    });
    container.addUlimits({ name: UlimitName.NOFILE, softLimit: openFiles, hardLimit: openFiles });
    return container;
  }
}
