/**
 * The HTTP front: one regional REST API whose every answer is streamed, with the stage's limits, its access log and the
 * answers it gives without asking a function. Which operations it serves is the stack's matter.
 */
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Operation } from '../../lib/core/operations.ts';
import {
  type GatewayResponse,
  gatewayResponseBody,
  gatewayResponses,
  requestIdHeader,
} from '../gateway-responses.ts';
import type { Settings } from '../settings.ts';
import { accessLogFields } from './access-log.ts';
import type { GatewayFunction } from './gateway-function.ts';

export class GatewayApi extends Construct {
  private readonly api: RestApi;

  constructor(scope: Construct, id: string, { throttle }: Pick<Settings, 'throttle'>) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: 'One OpenAI-shaped interface over many model providers',
      // An edge-optimized endpoint would cut a stream after 30 seconds of silence.
      endpointTypes: [EndpointType.REGIONAL],
      // Without it API Gateway may not write the access log in an account that never had one.
      cloudWatchRole: true,
      // The role serves every API of the account's region, so it must not go with this stack.
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: stageOptions(accessLog, throttle),
    });
    // The stack tells the base URL itself; the construct's own output would be a second, wrong one.
    this.api.node.tryRemoveChild('Endpoint');
    for (const response of gatewayResponses) this.answer(response);
    this.acknowledge();
  }

  /** The address an OpenAI SDK takes as its base URL. */
  get baseUrl(): string {
    return this.api.urlForPath('/v1');
  }

  /** Routes an operation to its function. The first one of a path also answers the methods that the path does not take. */
  serve({ method, path, timeoutSeconds }: Operation, { handler }: GatewayFunction): void {
    const integration = new LambdaIntegration(handler, {
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: Duration.seconds(timeoutSeconds),
      allowTestInvoke: false,
    });
    const resource = this.api.root.resourceForPath(path);
    resource.addMethod(method, integration);
    // API Gateway would answer a wrong method like an unknown path; the function says 405 and which methods are right.
    if (!resource.node.tryFindChild('ANY')) resource.addMethod('ANY', integration);
  }

  private answer(response: GatewayResponse): void {
    const fixed = Object.entries(response.headers ?? {}).map(([name, value]) => [name, `'${value}'`]);
    this.api.addGatewayResponse(response.type, {
      type: ResponseType.of(response.type),
      // A default stands for many failures: a status of its own would replace the true one of each.
      ...(response.type.startsWith('DEFAULT_') ? {} : { statusCode: String(response.status) }),
      responseHeaders: { [requestIdHeader]: 'context.requestId', ...Object.fromEntries(fixed) },
      templates: { 'application/json': gatewayResponseBody(response) },
    });
  }

  private acknowledge(): void {
    const reasons = {
      APIG2:
        'The functions validate requests, so that an error names the field at fault in the shape SDKs expect.',
      APIG3:
        'A web ACL costs money while idle. Throttling is on the stage; operators may attach an ACL of their own.',
      APIG4:
        'The functions check the API key themselves: one function less to start, and errors in the public shape.',
      APIG6:
        'Execution logs could hold what callers send. The access log and the functions tell what happened.',
      COG4: 'Callers are programs with API keys, not users of a pool.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The role belongs to API Gateway, which asks for exactly this policy.',
    };
    const rules = Object.entries(reasons).map(([rule, reason]) => ({ id: `AwsSolutions-${rule}`, reason }));
    Validations.of(this).acknowledge(...rules);
  }
}

function stageOptions(accessLog: LogGroup, throttle: Settings['throttle']): StageOptions {
  return {
    stageName: 'live',
    throttlingRateLimit: throttle.rate,
    throttlingBurstLimit: throttle.burst,
    metricsEnabled: true,
    tracingEnabled: false,
    dataTraceEnabled: false,
    loggingLevel: MethodLoggingLevel.OFF,
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}
