/** The only stage of the API: its limits and its access log. */
import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Throttle } from '../../settings/groups/traffic.ts';

export const stageName = 'live';

export interface StageLimits {
  /** Of all callers together. */
  readonly throttle: Throttle;
  /** Of each method of the open paths. A flood of unauthenticated requests must not take what callers need. */
  readonly openThrottle: Throttle;
  /** What can be reached without a key or a sign-in. */
  readonly openPaths: readonly string[];
}

export function stageOptions(
  accessLog: LogGroup,
  { throttle, openThrottle, openPaths }: StageLimits,
): StageOptions {
  const open = openPaths.flatMap((path) => httpMethods.map((method) => `${path}/${method}`));
  return {
    stageName,
    methodOptions: Object.fromEntries(open.map((method) => [method, methodOptions(openThrottle)])),
    ...methodOptions(throttle),
    tracingEnabled: false,
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}

/** A setting of `ANY` would count for none of them. Source: DianaIonita/serverless-api-gateway-throttling, which sets each. */
const httpMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

function methodOptions(throttle: Throttle): MethodDeploymentOptions {
  return {
    throttlingRateLimit: throttle.rate,
    throttlingBurstLimit: throttle.burst,
    metricsEnabled: true,
    dataTraceEnabled: false,
    loggingLevel: MethodLoggingLevel.OFF,
  };
}

/** The access log: one JSON line for each request, with statuses and times, and without content of requests or answers. */
export const accessLogFields: Readonly<Record<string, string>> = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  source_ip: '$context.identity.sourceIp',
  /** The response type of the API itself, if no function answered. */
  gateway_response: '$context.error.responseType',
  response_bytes: '$context.responseLength',
  total_ms: '$context.responseLatency',
  /** `STREAMED` or `BUFFERED`. */
  transfer_mode: '$context.integration.responseTransferMode',
  /** Of the function: its last twenty characters are those of the request's id in answers and in the ledger. */
  integration_request_id: '$context.integration.requestId',
  integration_status: '$context.integration.status',
  integration_error: '$context.integration.error',
  headers_ms: '$context.integration.timeToAllHeaders',
  first_byte_ms: '$context.integration.timeToFirstContent',
  integration_ms: '$context.integration.latency',
};
