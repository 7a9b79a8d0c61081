/**
 * One regional REST API that streams every answer, with the limits of its stage, its access log and the answers that it
 * gives without a function. The stack adds the operations.
 */
import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AwsIntegration,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  HttpIntegration,
  type Integration,
  ResponseTransferMode,
  ResponseType,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { openHeaders } from '../../lib/core/cors.ts';
import { type Operation, routesOf } from '../../lib/core/operations.ts';
import {
  type GatewayResponse,
  gatewayResponseBody,
  gatewayResponses,
  requestIdHeaders,
} from '../../server/gateway-responses.ts';
import { originHeader } from '../../server/origin-secret.ts';
import type { Domain } from '../settings/domain.ts';
import type { Settings } from '../settings/settings.ts';
import { stageName, stageOptions } from './api-stage.ts';
import type { GatewayFunction } from './gateway-function.ts';
import { logGroup } from './log-lines.ts';
import { addPreflight } from './preflight.ts';
import type { GatewayWebFunction } from './web-function.ts';

type ApiSettings = Pick<
  Settings,
  | 'throttle'
  | 'openThrottle'
  | 'corsOrigins'
  | 'domain'
  | 'logDays'
  | 'vpcEndpoints'
  | 'disableExecuteApiEndpoint'
>;

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

export class GatewayApi extends Construct {
  private readonly api: RestApi;
  /** Of a private API, one that reaches it. */
  private readonly vpcEndpoint: string | undefined;
  private readonly corsOrigins: readonly string[];

  constructor(scope: Construct, id: string, settings: ApiSettings) {
    super(scope, id);
    const { throttle, openThrottle, corsOrigins, domain, logDays, vpcEndpoints } = settings;
    [this.vpcEndpoint] = vpcEndpoints;
    this.corsOrigins = corsOrigins;
    const accessLog = logGroup(this, 'AccessLog', { days: logDays, outliveStack: false });
    this.api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      description: 'One OpenAI-shaped interface over many model providers',
      disableExecuteApiEndpoint: settings.disableExecuteApiEndpoint,
      ...(vpcEndpoints.length > 0 ? onlyFrom(this, vpcEndpoints) : fromAnywhere),
      // In an account that never had it, API Gateway cannot write the access log.
      cloudWatchRole: true,
      // The role serves every API of the account's region, so it must not go with this stack.
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: stageOptions(accessLog, throttle, openThrottle),
    });
    // The construct has no properties for them.
    const resource = this.api.node.defaultChild as CfnRestApi;
    if (vpcEndpoints.length === 0) Object.assign(resource, { securityPolicy, endpointAccessMode });
    if (domain) this.answerAt(domain);
    // The stack has its own output for the base URL; the construct's output would be a second, wrong one.
    this.api.node.tryRemoveChild('Endpoint');
    for (const response of gatewayResponses) this.answer(response);
    this.acknowledge();
  }

  /** The base URL for an OpenAI SDK. */
  get baseUrl(): string {
    return `${this.anthropicBaseUrl}/v1`;
  }

  /** Anthropic's clients add `/v1` by themselves, and some of them double a slash at the end. */
  get anthropicBaseUrl(): string {
    const { domainName, restApiId, deploymentStage } = this.api;
    if (domainName) return `https://${domainName.domainName}`;
    const { region, urlSuffix } = Stack.of(this);
    // The name with the endpoint needs no private DNS. Source: API Gateway developer guide, apigateway-private-api-test-invoke-url.
    const host = this.vpcEndpoint === undefined ? restApiId : `${restApiId}-${this.vpcEndpoint}`;
    return `https://${host}.execute-api.${region}.${urlSuffix}/${deploymentStage.stageName}`;
  }

  /** What a web ACL stands before. */
  get entryArn(): string {
    return this.api.deploymentStage.stageArn;
  }

  private answerAt({ name, certificateArn }: Domain): void {
    const domain = this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy,
      endpointAccessMode,
    });
    new CfnOutput(Stack.of(this), 'DomainTarget', {
      value: domain.domainNameAliasDomainName,
      description: `The DNS record of ${name} is an alias of this name, or a CNAME`,
    });
  }

  /** Routes an operation to its function. The first function of a path also answers its unsupported methods. */
  serve(operation: Operation, { live }: GatewayFunction): void {
    // As the library's integration of functions, which would add a permission for each method: too many for the resources of a stack.
    const integration = new AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2021-11-15/functions/${live.functionArn}/response-streaming-invocations`,
      options: streamed(operation),
    });
    const principal = new ServicePrincipal('apigateway.amazonaws.com');
    for (const path of routesOf(operation)) {
      this.route(operation.method, path, () => integration);
      const anyOfPath = path.replaceAll(/\{[^{}]*\}/g, '*');
      const sourceArn = this.api.arnForExecuteApi('*', anyOfPath, stageName);
      live.addPermission(`Invoke${path}`, { principal, sourceArn });
    }
  }

  /** Routes an operation to its Web Function, with the secret that it asks for. */
  serveOnWeb(operation: Operation, { url, originSecret }: GatewayWebFunction): void {
    // A value between single quotes is fixed, whatever the caller sends under the name of the header. Source: API Gateway
    // developer guide, "Parameter mapping for REST APIs".
    const requestParameters = { [`integration.request.header.${originHeader}`]: `'${originSecret.sent}'` };
    const options = { ...streamed(operation), requestParameters };
    for (const path of routesOf(operation))
      this.route(
        operation.method,
        path,
        (httpMethod) => new HttpIntegration(`${url}${path}`, { httpMethod, proxy: true, options }),
      );
  }

  private route(method: string, path: string, integrationOf: (method: string) => Integration): void {
    const resource = this.api.root.resourceForPath(path);
    resource.addMethod(method, integrationOf(method));
    // API Gateway would answer a wrong method like an unknown path; the function answers 405 with the allowed methods.
    if (!resource.node.tryFindChild('ANY')) resource.addMethod('ANY', integrationOf('ANY'));
    const [first, ...others] = this.corsOrigins;
    if (first !== undefined && !resource.node.tryFindChild('OPTIONS'))
      addPreflight(resource, [first, ...others]);
  }

  private answer(response: GatewayResponse): void {
    const open = this.corsOrigins.length > 0 ? openHeaders : {};
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

  private acknowledge(): void {
    const reasons = {
      APIG2:
        'The functions validate requests, so that an error names the invalid field in the shape SDKs expect.',
      APIG3:
        'A web ACL costs money while idle. The stage throttles requests; operators choose a web ACL with waf or webAclArn.',
      APIG4:
        'The functions check the API key themselves: one function fewer to start, and errors in the public shape.',
      APIG6: 'Execution logs could contain what callers send. The access log and the function logs suffice.',
      COG4: 'Callers are programs with API keys, not users of a pool.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The role belongs to API Gateway, which requires exactly this policy.',
    };
    const rules = Object.entries(reasons).map(([rule, reason]) => ({ id: `AwsSolutions-${rule}`, reason }));
    Validations.of(this).acknowledge(...rules);
  }
}

/** An edge-optimized endpoint would close a stream after 30 idle seconds. */
const fromAnywhere: RestApiProps = { endpointTypes: [EndpointType.REGIONAL] };

/**
 * A private API, which accepts TLS 1.2 or newer in any case. Callers are not signed, so the endpoint is what the policy asks for.
 * Source: API Gateway developer guide, apigateway-custom-domain-tls-version and apigateway-private-apis.
 */
const onlyFrom = (scope: Construct, vpcEndpoints: readonly string[]): RestApiProps => ({
  endpointConfiguration: {
    types: [EndpointType.PRIVATE],
    vpcEndpoints: vpcEndpoints.map((vpcEndpointId) =>
      InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
        vpcEndpointId,
        port: 443,
      }),
    ),
  },
  policy: new PolicyDocument({
    statements: [
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['execute-api:Invoke'],
        resources: ['execute-api:/*'],
        conditions: { StringEquals: { 'aws:SourceVpce': [...vpcEndpoints] } },
      }),
    ],
  }),
});

/** How every integration answers. */
const streamed = ({ timeoutSeconds }: Operation) => ({
  responseTransferMode: ResponseTransferMode.STREAM,
  timeout: Duration.seconds(timeoutSeconds),
});
