/** A Lambda function with our defaults, and a role of its own that may do nothing but write its log until it is allowed more. */
import { type Duration, RemovalPolicy, TimeZone } from 'aws-cdk-lib';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import {
  Alias,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Hours, Provisioned } from '../../settings/groups/release.ts';
import { Permissions } from '../permissions/permissions.ts';
import { type LogKeeping, logGroup } from '../watching/log-lines.ts';
import { FunctionRole } from './function-role.ts';

/**
 * Versions stay when there is a newer one, so that the alias can go back to them. That of a deployment that failed goes: Lambda
 * publishes no second version of the same code, and the next attempt would fail. All go with the function.
 */
const versionsStay = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

export interface GatewayFunctionProps {
  readonly description: string;
  /** The directory that contains the function's `index.mjs`. */
  readonly bundle: string;
  readonly timeout: Duration;
  /** In MB. A request mostly waits, so a deployment mostly pays for memory. */
  readonly memory: number;
  readonly logLevel: string;
  /** A group that others write, too, or how its own is kept. */
  readonly logs: LogGroup | LogKeeping;
  /** The ARN of the operator's key for tables and provider keys; none if empty. */
  readonly kmsKeyArn: string;
  /** How many events it handles at a time. */
  readonly reservedConcurrency?: number | undefined;
  /** What is kept started. */
  readonly provisioned?: Provisioned | undefined;
  /** False: it has neither versions nor an alias, which take two resources of a stack. */
  readonly hasVersions?: boolean;
}

/** What constructs pass on to a function of their own. */
export interface FunctionParts extends Pick<GatewayFunctionProps, 'bundle' | 'logLevel' | 'kmsKeyArn'> {
  readonly logs: LogKeeping;
}

export class GatewayFunction extends Construct {
  readonly handler: LambdaFunction;
  /** The version that gets requests and events. All that invokes the function names this one. */
  readonly live: IFunction;
  readonly logs: LogGroup;
  readonly permissions: Permissions;
  private readonly ownAlias: Alias | undefined;

  constructor(scope: Construct, id: string, props: GatewayFunctionProps) {
    super(scope, id);
    this.logs = props.logs instanceof LogGroup ? props.logs : logGroup(this, 'Logs', props.logs);
    // The managed policy for functions allows writing every log of the account; this role only one group.
    const role = new FunctionRole(this, 'Role');
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
      currentVersionOptions: { removalPolicy: versionsStay },
    });
    const { hasVersions = true, provisioned } = props;
    this.ownAlias = hasVersions ? aliasOf(this, this.handler, provisioned) : undefined;
    this.live = (this.ownAlias ?? this.handler) as IFunction;
    this.permissions = new Permissions({
      role,
      kmsKeyArn: props.kmsKeyArn,
      setVariable: (name, value) => this.handler.addEnvironment(name, value),
    });
  }

  /** That of the live version. Throws if the function has no versions. */
  get alias(): Alias {
    if (this.ownAlias) return this.ownAlias;
    throw new Error('The function has no versions.');
  }
}

function aliasOf(scope: Construct, handler: LambdaFunction, provisioned: Provisioned | undefined): Alias {
  const fixed = fixedOf(provisioned);
  // The library's type of versions is not that of its own interface, under the compiler's strict rule for optional members.
  const alias = new Alias(scope, 'Live', {
    aliasName: 'live',
    version: handler.currentVersion as IVersion,
    ...(fixed !== undefined && { provisionedConcurrentExecutions: fixed }),
  });
  if (provisioned && fixed === undefined) scaleProvisioned(alias, provisioned);
  return alias;
}

/** More are started while a larger part of them is in use: AWS's own default. */
const busyPart = 0.7;

/**
 * What the alias itself has of environments that are kept started: without a schedule and a higher number, the number holds after each
 * deployment. Else Application Auto Scaling sets it, and a deployment leaves it as it is.
 */
const fixedOf = (provisioned: Provisioned | undefined): number | undefined =>
  provisioned?.hours || provisioned?.max ? undefined : provisioned?.environments;

/** The rest. */
function scaleProvisioned(alias: Alias, { environments, max = environments, hours }: Provisioned) {
  const scaling = alias.addAutoScaling({ minCapacity: hours ? 0 : environments, maxCapacity: max });
  if (max > environments) scaling.scaleOnUtilization({ utilizationTarget: busyPart });
  if (!hours) return;
  const timeZone = TimeZone.of(hours.timeZone);
  const at = (time: string) => atTime(hours, time);
  scaling.scaleOnSchedule('Start', {
    schedule: at(hours.from),
    timeZone,
    minCapacity: environments,
    maxCapacity: max,
  });
  scaling.scaleOnSchedule('End', { schedule: at(hours.to), timeZone, minCapacity: 0, maxCapacity: 0 });
}

function atTime({ days }: Hours, time: string): Schedule {
  const [hour = '', minute = ''] = time.split(':').map((part) => String(Number(part)));
  return Schedule.cron({ weekDay: days, hour, minute });
}
