/** The only stage of the API: its limits and its access log. */
import {
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { operations, routesOf } from '../../lib/core/operations.ts';
import type { Throttle } from '../settings/traffic.ts';
import { accessLogFields } from './access-log.ts';

export const stageName = 'live';

export function stageOptions(accessLog: LogGroup, throttle: Throttle, openThrottle: Throttle): StageOptions {
  return {
    stageName,
    methodOptions: Object.fromEntries(openMethods().map((method) => [method, methodOptions(openThrottle)])),
    ...methodOptions(throttle),
    tracingEnabled: false,
    accessLogDestination: new LogGroupLogDestination(accessLog),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
  };
}

/** A setting of `ANY` would count for none of them. Source: DianaIonita/serverless-api-gateway-throttling, which sets each. */
const httpMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What strangers reach without a key, as the stage names methods. A flood of theirs must not take what callers need. */
const openMethods = (): readonly string[] =>
  operations
    .filter(({ authenticated }) => !authenticated)
    .flatMap(routesOf)
    .flatMap((path) => httpMethods.map((method) => `${path}/${method}`));

function methodOptions(throttle: Throttle): MethodDeploymentOptions {
  return {
    throttlingRateLimit: throttle.rate,
    throttlingBurstLimit: throttle.burst,
    metricsEnabled: true,
    dataTraceEnabled: false,
    loggingLevel: MethodLoggingLevel.OFF,
  };
}
