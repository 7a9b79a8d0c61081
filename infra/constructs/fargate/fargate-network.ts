/**
 * The network of the server: public subnets in two zones, whose tasks have addresses of their own. A NAT gateway would cost more than a
 * small task for each zone, and by the byte; nothing from outside reaches a task anyhow, but through the load balancer
 * (decision 0022). Calls of the tables, and layers of the image, stay in the network of AWS, at no cost.
 */
import {
  GatewayVpcEndpointAwsService,
  type IVpc,
  Port,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** Of the server, in its container. */
export const serverPort = 8_080;

const subnets = { subnetType: SubnetType.PUBLIC } as const satisfies SubnetSelection;

export class FargateNetwork extends Construct {
  readonly vpc: IVpc;
  readonly subnets = subnets;
  readonly ofBalancer: SecurityGroup;
  readonly ofTasks: SecurityGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [{ name: 'Public', mapPublicIpOnLaunch: false, ...subnets, cidrMask: 20 }],
      // Nothing is in the default group; the library would add a function that may change groups.
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        Tables: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        Images: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    // The library's types do not agree with each other where absent members may not be undefined.
    this.vpc = vpc as IVpc;
    this.ofBalancer = this.group('OfBalancer', 'Callers reach the load balancer, and it the tasks', false);
    // Hosts that operators add may have any port. The guard of callers' URLs is in the code, as everywhere.
    this.ofTasks = this.group(
      'OfTasks',
      'Only the load balancer reaches a task, which calls providers',
      true,
    );
    this.ofTasks.addIngressRule(this.ofBalancer, Port.tcp(serverPort), 'From the load balancer');
    this.ofBalancer.addEgressRule(this.ofTasks, Port.tcp(serverPort), 'To the tasks');
    acknowledge(vpc, {
      VPC7: 'A flow log costs by the byte of every stream. The log of the server has each request.',
    });
  }

  private group(id: string, description: string, allowAllOutbound: boolean): SecurityGroup {
    return new SecurityGroup(this, id, { vpc: this.vpc, description, allowAllOutbound });
  }
}
