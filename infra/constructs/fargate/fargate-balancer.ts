/** The load balancer before the tasks: TLS, the health of each task, and time for its streams to end when it goes. */
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Peer, Port } from 'aws-cdk-lib/aws-ec2';
import {
  type ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  type IApplicationLoadBalancerTarget,
  ListenerCertificate,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';
import type { Domain } from '../../settings/groups/edge.ts';
import { acknowledge } from '../acknowledge.ts';
import { type FargateNetwork, serverPort } from './fargate-network.ts';

/**
 * TLS 1.2 or newer with forward secrecy, for bearer keys: the same as the API's. Source: docs.aws.amazon.com
 * elasticloadbalancing/latest/application, describe-ssl-policies.
 */
const sslPolicy = SslPolicy.TLS13_12_RES_PQ;

/** A complete body may take as long as the longest operation without a byte; a stream has heartbeats. */
const idleTimeout = Duration.seconds(910);

/**
 * Longer than the load balancer keeps an idle connection: it would else send a request on one that the server is about to close.
 * Source: docs.aws.amazon.com elasticloadbalancing/latest/application, edit-load-balancer-attributes.
 */
export const keepAlive = Duration.seconds(930);

/**
 * How long a task that is to go gets no new request, and ends those that it has. Only then does it get the signal to stop. Source:
 * docs.aws.amazon.com AmazonECS, load-balancer-connection-draining.
 */
const deregistrationDelay = Duration.seconds(900);

/** Of the network itself, and of those that an operator connects with it. Source: RFC 1918. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

interface FargateBalancerProps {
  readonly network: FargateNetwork;
  readonly isPublic: boolean;
  readonly domain: Domain | undefined;
}

export class FargateBalancer extends Construct {
  private readonly balancer: ApplicationLoadBalancer;
  private readonly listener: ApplicationListener;
  private readonly domain: Domain | undefined;

  constructor(scope: Construct, id: string, { network, isPublic, domain }: FargateBalancerProps) {
    super(scope, id);
    this.domain = domain;
    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc: network.vpc,
      vpcSubnets: network.subnets,
      securityGroup: network.ofBalancer,
      internetFacing: isPublic,
      idleTimeout,
      dropInvalidHeaderFields: true,
    });
    // Without a listener for plain HTTP, a key that a client would send there does not leave the client.
    const port = domain ? 443 : 80;
    for (const range of isPublic ? ['0.0.0.0/0'] : privateRanges)
      network.ofBalancer.addIngressRule(Peer.ipv4(range), Port.tcp(port), 'From callers');
    this.listener = this.balancer.addListener('Listener', {
      port,
      open: false,
      protocol: domain ? ApplicationProtocol.HTTPS : ApplicationProtocol.HTTP,
      ...(domain && {
        certificates: [ListenerCertificate.fromArn(domain.certificateArn)],
        sslPolicy,
      }),
    });
    if (domain)
      new CfnOutput(Stack.of(this), 'DomainTarget', {
        value: this.balancer.loadBalancerDnsName,
        description: `The DNS record of ${domain.name} is an alias of this name, or a CNAME`,
      });
    acknowledge(this.balancer, {
      ELB2: 'The log of the server has each request. An access log needs a bucket; operators may add one.',
    });
    acknowledge(network.ofBalancer, {
      EC23: 'The API is public. The server checks the key of each request.',
    });
  }

  /** The base URL for an OpenAI SDK. */
  get baseUrl(): string {
    return `${this.anthropicBaseUrl}/v1`;
  }

  /** Anthropic's clients add `/v1` by themselves. */
  get anthropicBaseUrl(): string {
    return this.domain ? `https://${this.domain.name}` : `http://${this.balancer.loadBalancerDnsName}`;
  }

  /** As CloudWatch names it. */
  get fullName(): string {
    return this.balancer.loadBalancerFullName;
  }

  /** What a web ACL stands before. */
  get entryArn(): string {
    return this.balancer.loadBalancerArn;
  }

  /** Sends the requests to these tasks. */
  serve(tasks: IApplicationLoadBalancerTarget): ApplicationTargetGroup {
    return this.listener.addTargets('Tasks', {
      port: serverPort,
      protocol: ApplicationProtocol.HTTP,
      targets: [tasks],
      deregistrationDelay,
      // A task is replaced after five minutes without its tables: as long as keys that it has read work without them. While all
      // tasks are so, the load balancer sends requests to all of them.
      healthCheck: {
        path: '/readyz',
        interval: Duration.seconds(30),
        timeout: Duration.seconds(5),
        healthyThresholdCount: 2,
        unhealthyThresholdCount: 10,
      },
    });
  }
}
