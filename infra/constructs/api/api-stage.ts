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
import { accessLogFields } from './access-log.ts';

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
