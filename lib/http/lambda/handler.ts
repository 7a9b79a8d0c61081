/** The Lambda handler of a function: one event in, one streamed HTTP response out. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { withTime } from '../../core/names/request-id.ts';
import { bodyFactor } from '../request/body-limit.ts';
import type { Handler, RequestHost } from '../request/http-request.ts';
import type { HttpAnswer } from '../respond.ts';
import { requestOf } from './event.ts';
import { executionModeDirect } from './execution-mode.ts';
import { createLambdaMemory } from './memory.ts';

export const lambdaHandler = (handle: Handler) =>
  middy<APIGatewayProxyEvent, HttpAnswer>({ executionMode: executionModeDirect }).handler(
    (event, context) => {
      const bodyBytes = event.body?.length ?? 0;
      const memory = createLambdaMemory({ memorySize: Number(context.memoryLimitInMB), bodyBytes });
      memory.admit(bodyBytes * bodyFactor);
      return handle(requestOf(event), { ...hostOf(context), memory });
    },
  );

/**
 * The id is Lambda's. That of API Gateway can be set by the caller (header x-amzn-RequestId; source: API Gateway developer guide,
 * `$context.requestId`): two requests with one id would be one record, and only one of them would be billed.
 */
const hostOf = (context: Context): RequestHost => ({
  requestId: withTime(context.awsRequestId, Date.now()),
  lambdaRequestId: context.awsRequestId,
  remainingMs: () => context.getRemainingTimeInMillis(),
});
