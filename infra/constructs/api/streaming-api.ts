/**
 * A REST API that streams every answer of its functions, with the limits of its stage, its access log and the answers that it gives
 * without a function.
 */
import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AwsIntegration,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type Integration,
  type IResource,
  type MethodOptions,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { openHeaders } from '../../../lib/core/cors.ts';
import {
  type GatewayResponse,
  gatewayResponseBody,
  requestIdHeaders,
} from '../../../server/http/gateway-responses.ts';
import type { Domain } from '../../settings/groups/edge.ts';
import { acknowledge } from '../acknowledge.ts';
import type { GatewayFunction } from '../function/gateway-function.ts';
import { logGroup } from '../watching/log-lines.ts';
import { type StageLimits, stageName, stageOptions } from './api-stage.ts';

/**
 * TLS 1.2 or newer with forward secrecy, for bearer keys. Without it, a regional API accepts TLS 1.0. Such a policy needs an access
 * mode; the strict one, which AWS advises, also checks that the name in the handshake is that of the request. Source:
 * docs.aws.amazon.com API Gateway, apigateway-security-policies and apigateway-security-policies-list.
 */
const securityPolicy = SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09;
const endpointAccessMode = EndpointAccessMode.STRICT;

/**
 * A caller may set it, to characters of which none has a meaning in JSON. Templates of gateway responses replace variables and
 * nothing else. Source: API Gateway developer guide, `$context.requestId`, and "Gateway response types".
 */
const requestIdVariable = '$context.requestId';

interface StreamingApiProps {
  readonly description: string;
  readonly limits: StageLimits;
  readonly logDays: number;
  /** Where it can be reached from. Constructs of that are children of this one. */
  readonly from: (parent: Construct) => RestApiProps;
  /** False for a private API, which has rules of TLS of its own. */
  readonly isPublic: boolean;
  /** Whether the account may have no role yet with which API Gateway writes access logs. */
  readonly makesLogRole: boolean;
  readonly responses: readonly GatewayResponse[];
  /** Whether web pages of other origins may read what it answers by itself. */
  readonly answersPages: boolean;
}

/** What is served in one way at some paths. */
interface Route {
  readonly method: string;
  readonly timeoutSeconds: number;
}

export class StreamingApi extends Construct {
  protected readonly api: RestApi;

  constructor(scope: Construct, id: string, props: StreamingApiProps) {
    super(scope, id);
    const accessLog = logGroup(this, 'AccessLog', { days: props.logDays, outliveStack: false });
    this.api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: props.description,
      ...props.from(this),
      // In an account that never had it, API Gateway cannot write the access log.
      cloudWatchRole: props.makesLogRole,
      // The role serves every API of the account's region, so it must not go with this stack.
      ...(props.makesLogRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: stageOptions(accessLog, props.limits),
    });
    // The construct has no properties for them.
    if (props.isPublic)
      Object.assign(this.api.node.defaultChild as CfnRestApi, { securityPolicy, endpointAccessMode });
    // The stacks have outputs of their own for the address; the construct's output would be a second, wrong one.
    this.api.node.tryRemoveChild('Endpoint');
    for (const response of props.responses) this.answer(response, props.answersPages ? openHeaders : {});
  }

  /** Where it answers, without a slash at the end. */
  protected addressOf(name: string, stage: string): string {
    if (this.api.domainName) return `https://${this.api.domainName.domainName}`;
    return `https://${this.hostOf(name)}/${stage}`;
  }

  protected hostOf(name: string): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${name}.execute-api.${region}.${urlSuffix}`;
  }

  /** `output`: the name of the output with the address that its DNS record needs. */
  protected answerAt({ name, certificateArn }: Domain, output: string): void {
    const domain = this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy,
      endpointAccessMode,
    });
    new CfnOutput(Stack.of(this), output, {
      value: domain.domainNameAliasDomainName,
      description: `The DNS record of ${name} is an alias of this name, or a CNAME`,
    });
  }

  /** Routes a path to a function, which API Gateway may then invoke. */
  protected serveBy({ live }: GatewayFunction, route: Route, path: string, options?: MethodOptions): void {
    // As the library's integration of functions, which would add a permission for each method: too many for the resources of a stack.
    const integration = new AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2021-11-15/functions/${live.functionArn}/response-streaming-invocations`,
      options: streamed(route),
    });
    this.route(route.method, path, () => integration, options);
    // For all of its paths at once: it is this stack that routes them, and one for each would be too many resources again.
    if (live.node.tryFindChild('Invoke')) return;
    const principal = new ServicePrincipal('apigateway.amazonaws.com');
    const sourceArn = this.api.arnForExecuteApi('*', '/*', stageName);
    live.addPermission('Invoke', { principal, sourceArn });
  }

  /** The first that serves a path also answers its unsupported methods. */
  protected route(
    method: string,
    path: string,
    integrationOf: (method: string) => Integration,
    options?: MethodOptions,
  ): IResource {
    const resource = this.api.root.resourceForPath(path);
    resource.addMethod(method, integrationOf(method), options);
    // API Gateway would answer a wrong method like an unknown path; the function answers 405 with the allowed methods.
    if (!resource.node.tryFindChild('ANY')) resource.addMethod('ANY', integrationOf('ANY'), options);
    return resource;
  }

  private answer(response: GatewayResponse, open: Readonly<Record<string, string>>): void {
    const fixed = Object.entries({ ...response.headers, ...open }).map(([name, value]) => [
      name,
      `'${value}'`,
    ]);
    this.api.addGatewayResponse(response.type, {
      type: ResponseType.of(response.type),
      // A default response covers many failures: a status here would replace the actual one.
      ...(response.type.startsWith('DEFAULT_') ? {} : { statusCode: String(response.status) }),
      responseHeaders: {
        ...Object.fromEntries(requestIdHeaders.map((name) => [name, 'context.requestId'])),
        ...Object.fromEntries(fixed),
      },
      templates: { 'application/json': gatewayResponseBody(response, requestIdVariable) },
    });
  }

  /** Reasons by the numbers of rules, beside those of every such API. */
  protected acknowledge(reasons: Readonly<Record<string, string>>): void {
    acknowledge(this, { ...reasonsOfAll, ...reasons });
  }
}

const reasonsOfAll = {
  APIG2:
    'The functions validate requests, so that an error names the invalid field in the shape SDKs expect.',
  APIG6: 'Execution logs could contain what callers send. The access log and the function logs suffice.',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'The role belongs to API Gateway, which requires exactly this policy.',
};

/** How every integration answers. */
export const streamed = ({ timeoutSeconds }: Route) => ({
  responseTransferMode: ResponseTransferMode.STREAM,
  timeout: Duration.seconds(timeoutSeconds),
});
