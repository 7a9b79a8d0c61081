/** The API of the gateway: callers' operations, by functions or by Web Functions. The stack adds the operations. */
import {
  EndpointType,
  HttpIntegration,
  type Integration,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type Operation, operations } from '../../../lib/core/operations.ts';
import { routesOf } from '../../../lib/core/routes.ts';
import type { ServedFunction } from '../../../lib/core/served-functions.ts';
import { gatewayResponses } from '../../../server/http/gateway-responses.ts';
import { originHeader } from '../../../server/http/origin-secret.ts';
import type { Settings } from '../../settings/settings.ts';
import type { GatewayFunction } from '../function/gateway-function.ts';
import type { GatewayWebFunction } from '../web/web-function.ts';
import { addPreflight } from './preflight.ts';
import { StreamingApi, streamed } from './streaming-api.ts';

export type ApiSettings = Pick<
  Settings,
  | 'throttle'
  | 'openThrottle'
  | 'corsOrigins'
  | 'domain'
  | 'logDays'
  | 'vpcEndpoints'
  | 'disableExecuteApiEndpoint'
>;

export class GatewayApi extends StreamingApi {
  /** Of a private API, one that reaches it. */
  private readonly vpcEndpoint: string | undefined;
  private readonly corsOrigins: readonly string[];

  constructor(scope: Construct, id: string, settings: ApiSettings) {
    const { throttle, openThrottle, corsOrigins, domain, logDays, vpcEndpoints } = settings;
    const isPublic = vpcEndpoints.length === 0;
    super(scope, id, {
      description: 'One OpenAI-shaped interface over many model providers',
      limits: { throttle, openThrottle, openPaths },
      logDays,
      from: (parent) => ({
        disableExecuteApiEndpoint: settings.disableExecuteApiEndpoint,
        // Forms with files are passed on as they are; all other bodies are texts.
        binaryMediaTypes: ['multipart/form-data'],
        ...(isPublic ? fromAnywhere : onlyFrom(parent, vpcEndpoints)),
      }),
      isPublic,
      makesLogRole: true,
      responses: gatewayResponses,
      answersPages: corsOrigins.length > 0,
    });
    [this.vpcEndpoint] = vpcEndpoints;
    this.corsOrigins = corsOrigins;
    if (domain) this.answerAt(domain, 'DomainTarget');
    this.acknowledge({
      APIG3:
        'A web ACL costs money while idle. The stage throttles requests; operators choose a web ACL with waf or webAclArn.',
      APIG4:
        'The functions check the API key themselves: one function fewer to start, and errors in the public shape.',
      COG4: 'Callers are programs with API keys, not users of a pool.',
    });
  }

  /** The base URL for an OpenAI SDK. */
  get baseUrl(): string {
    return `${this.anthropicBaseUrl}/v1`;
  }

  /** Anthropic's clients add `/v1` by themselves, and some of them double a slash at the end. */
  get anthropicBaseUrl(): string {
    // The name with the endpoint needs no private DNS. Source: API Gateway developer guide, apigateway-private-api-test-invoke-url.
    const { restApiId, deploymentStage } = this.api;
    const host = this.vpcEndpoint === undefined ? restApiId : `${restApiId}-${this.vpcEndpoint}`;
    return this.addressOf(host, deploymentStage.stageName);
  }

  /** What a web ACL stands before. */
  get entryArn(): string {
    return this.api.deploymentStage.stageArn;
  }

  /** Routes operations to their function. */
  serve(served: ServedFunction, gatewayFunction: GatewayFunction): void {
    for (const path of served.paths) this.serveBy(gatewayFunction, served, path);
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

  protected override route(method: string, path: string, integrationOf: (method: string) => Integration) {
    const resource = super.route(method, path, integrationOf);
    const [first, ...others] = this.corsOrigins;
    if (first !== undefined && !resource.node.tryFindChild('OPTIONS'))
      addPreflight(resource, [first, ...others]);
    return resource;
  }
}

/** What can be reached without a key. */
const openPaths = operations.filter(({ authenticated }) => !authenticated).flatMap(routesOf);

/** An edge-optimized endpoint would close a stream after 30 idle seconds. */
export const fromAnywhere: RestApiProps = { endpointTypes: [EndpointType.REGIONAL] };

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
