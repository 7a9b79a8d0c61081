/**
 * A Web Function with our defaults: a server in Lambda that takes many requests at a time and is billed for processor time, not for
 * waiting. Its role has the permissions of the event function of the same operation. Source of names and limits: AWS Lambda
 * developer guide, "Lambda Web Functions".
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib';
import {
  WebFunction,
  WebFunctionAuthType,
  WebFunctionCode,
  WebFunctionRuntime,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { WebSettings } from '../../settings/groups/web.ts';
import { acknowledge, acknowledgeAll, assetRules } from '../acknowledge.ts';
import { FunctionRole } from '../function/function-role.ts';
import type { GatewayFunctionProps } from '../function/gateway-function.ts';
import { Permissions } from '../permissions/permissions.ts';
import { type LogKeeping, logGroup } from '../watching/log-lines.ts';
import type { OriginSecret } from './origin-secret.ts';

interface GatewayWebFunctionProps
  extends Pick<GatewayFunctionProps, 'description' | 'bundle' | 'timeout' | 'logLevel' | 'kmsKeyArn'> {
  /** In Lambda; unique in the account. */
  readonly name: string;
  /** The name of the operation that it serves. */
  readonly operation: string;
  readonly settings: WebSettings;
  readonly originSecret: OriginSecret;
  readonly logs: WebLogs;
  /** Grants what the operation needs. */
  readonly allow: (permissions: Permissions) => void;
}

/** One group for all Web Functions: each with its own would need a filter for each line that is counted. */
export class WebLogs extends Construct {
  /** The one whose lines are counted. */
  readonly group: LogGroup;
  /**
   * Lambda also writes what this region logged to a group of this name, which it would make without an expiry. The lines in it are
   * those of the other. Source: aws/agent-toolkit-for-aws, aws-lambda-web-functions, observability.
   */
  readonly ofRegion: LogGroup;

  constructor(scope: Construct, id: string, keeping: LogKeeping) {
    super(scope, id);
    this.group = logGroup(this, 'Logs', keeping);
    const twin = { days: keeping.days, outliveStack: false };
    this.ofRegion = logGroup(this, 'RegionLogs', twin, `${this.group.logGroupName}.local`);
  }
}

export class GatewayWebFunction extends Construct {
  readonly originSecret: OriginSecret;
  private readonly webFunction: WebFunction;

  constructor(scope: Construct, id: string, props: GatewayWebFunctionProps) {
    super(scope, id);
    this.originSecret = props.originSecret;
    const { group, ofRegion } = props.logs;
    const role = new FunctionRole(this, 'Role');
    for (const logs of [group, ofRegion]) logs.grantWrite(role);
    props.originSecret.allowReading(role);
    const variables: Record<string, string> = {
      POWERTOOLS_SERVICE_NAME: 'model-gateway',
      LOG_LEVEL: props.logLevel,
      GATEWAY_OPERATION: props.operation,
      GATEWAY_ORIGIN_SECRETS: props.originSecret.names,
    };
    const setVariable = (name: string, value: string) => {
      variables[name] = value;
    };
    props.allow(new Permissions({ role, kmsKeyArn: props.kmsKeyArn, setVariable }));
    this.webFunction = new WebFunction(this, 'Function', {
      webFunctionName: props.name,
      revisionDescription: props.description,
      runtime: WebFunctionRuntime.NODEJS_24_X,
      code: WebFunctionCode.fromAssetToManagedBucket(props.bundle),
      entryPoint: 'index.mjs',
      timeout: props.timeout,
      maxConcurrencyPerEnvironment: props.settings.concurrency,
      role,
      logGroup: group,
      environment: variables,
      // API Gateway cannot sign what it sends to an address of HTTP. The server refuses what comes without the origin secret.
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
      defaultEndpoint: { maxEnvironments: props.settings.environments },
    });
    // Its first environment needs the policies of the role to start.
    this.webFunction.node.addDependency(ofRegion, role);
    Validations.of(this.webFunction.endpoint).acknowledge({
      id: 'Annotation::@aws-cdk/aws-lambda:webFunctionPublicEndpoint',
      reason: 'The server answers nothing without the origin secret, and the function checks the API key.',
    });
  }

  /** Where it is called, without a slash at the end. */
  get url(): string {
    return `https://${this.webFunction.endpoint.domainName}`;
  }
}

/** Names of Web Functions are unique in all regions of an account. */
export const webFunctionName = (stackName: string, operation: string): string =>
  `${stackName}-${operation}-${Aws.REGION}`;

/*
 * Lambda reads the code from a bucket with versions whenever an environment starts. The CDK makes one bucket for a stack, and a function
 * that copies each bundle into it; what its rules find there is the library's.
 */

/** The library's own names. Source: aws-cdk-lib, `aws-lambda/lib/webfunction-code`. */
const bucketId = 'AWSCDKWebFunctionAssetBucket';
const copyId = /^Custom::S3ObjectCopy/;

/** Call it when all Web Functions of the stack are there. */
export function acknowledgeWebCode(scope: Construct): void {
  const { children } = Stack.of(scope).node;
  for (const child of children as Construct[]) {
    if (child.node.id === bucketId)
      acknowledge(child, { S1: 'It holds only the code of this project, which Lambda alone reads.' });
    if (copyId.test(child.node.id))
      acknowledgeAll(child, ofCopies(child), 'The library grants it, to copy code.');
  }
}

/** What the rules find in the role of the function that copies. */
function ofCopies(copy: Construct): readonly string[] {
  const bucket = Stack.of(copy).node.findChild(bucketId).node.findChild('Resource');
  const logicalId = Stack.of(copy).resolve((bucket as CfnBucket).logicalId);
  return [
    ...assetRules,
    'IAM5[Action::s3:Abort*]',
    'IAM5[Action::s3:DeleteObject*]',
    `IAM5[Resource::<${logicalId}.Arn>/web-function/*]`,
  ];
}
