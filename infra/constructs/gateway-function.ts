/** A Lambda function with our defaults, and a role of its own that may do nothing but write its log until it is allowed more. */
import type { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type LogKeeping, logGroup } from './log-lines.ts';
import { Permissions } from './permissions.ts';

interface GatewayFunctionProps {
  readonly description: string;
  /** The directory that contains the function's `index.mjs`. */
  readonly bundle: string;
  readonly timeout: Duration;
  /** In MB. A request mostly waits, so a deployment mostly pays for memory. */
  readonly memory: number;
  readonly logLevel: string;
  readonly logs: LogKeeping;
  /** The ARN of the operator's key for tables and provider keys; none if empty. */
  readonly kmsKeyArn: string;
  /** How many events it handles at a time. */
  readonly reservedConcurrency?: number | undefined;
}

export class GatewayFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly logs: LogGroup;
  readonly permissions: Permissions;

  constructor(scope: Construct, id: string, props: GatewayFunctionProps) {
    super(scope, id);
    this.logs = logGroup(this, 'Logs', props.logs);
    // The managed policy for functions allows writing every log of the account; this role only its own.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logs.grantWrite(role);
    this.handler = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: props.memory,
      timeout: props.timeout,
      tracing: Tracing.DISABLED,
      role,
      logGroup: this.logs,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      environment: { POWERTOOLS_SERVICE_NAME: 'model-gateway', LOG_LEVEL: props.logLevel },
    });
    this.permissions = new Permissions({
      role,
      kmsKeyArn: props.kmsKeyArn,
      setVariable: (name, value) => this.handler.addEnvironment(name, value),
    });
  }
}
