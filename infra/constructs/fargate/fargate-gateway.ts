/** All operations by one server on Fargate, behind a load balancer: what API Gateway and the functions of operations are elsewhere. */
import { Construct } from 'constructs';
import { operations } from '../../../lib/core/operations.ts';
import type { FargateSettings } from '../../settings/groups/fargate.ts';
import type { Settings } from '../../settings/settings.ts';
import {
  allowEvents,
  allowManyRequests,
  allowOperation,
  type OperationResources,
} from '../permissions/operation-permissions.ts';
import { type Counting, LineMetrics } from '../watching/line-metrics.ts';
import type { LogKeeping } from '../watching/log-lines.ts';
import type { TaskNames } from '../watching/measures.ts';
import { FargateBalancer } from './fargate-balancer.ts';
import { FargateNetwork } from './fargate-network.ts';
import { FargateServer } from './fargate-server.ts';

interface FargateGatewayProps
  extends OperationResources,
    Pick<Settings, 'domain' | 'logLevel' | 'kmsKeyArn'> {
  readonly fargate: FargateSettings;
  /** The directory of the `Dockerfile`. */
  readonly image: string;
  readonly logs: LogKeeping;
  readonly counting: Counting;
}

export class FargateGateway extends Construct {
  readonly tasks: TaskNames;
  /** Its name. */
  readonly logGroup: string;
  /** Where callers reach it. */
  readonly entry: FargateBalancer;

  constructor(scope: Construct, id: string, props: FargateGatewayProps) {
    super(scope, id);
    const { fargate, domain, image, logLevel, logs, kmsKeyArn, counting } = props;
    const network = new FargateNetwork(this, 'Network');
    this.entry = new FargateBalancer(this, 'Entry', {
      network,
      isPublic: fargate.balancer === 'public',
      domain,
    });
    const server = new FargateServer(this, 'Server', {
      network,
      image,
      ...fargate,
      logLevel,
      logs,
      kmsKeyArn,
    });
    for (const operation of operations) {
      allowOperation(server.permissions, operation, props);
      allowManyRequests(server.permissions, operation, props);
    }
    allowEvents(server.permissions, props);
    this.logGroup = server.logs.logGroupName;
    const targets = this.entry.serve(server.service);
    server.scale(targets, fargate);
    this.tasks = {
      balancer: this.entry.fullName,
      targets: targets.targetGroupFullName,
      cluster: server.service.cluster.clusterName,
      service: server.service.serviceName,
    };
    new LineMetrics(this, 'Usage', { logs: server.logs, ...counting, of: 'requests' });
  }
}
