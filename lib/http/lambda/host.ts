/** What Lambda says of an invocation. */
import type { Context } from 'aws-lambda';
import { withTime } from '../../core/names/request-id.ts';
import { bodyFactor } from '../request/body-limit.ts';
import type { RequestHost } from '../request/http-request.ts';
import { createLambdaMemory } from './memory.ts';

/**
 * The id is Lambda's. That of API Gateway can be set by the caller (header x-amzn-RequestId; source: API Gateway developer guide,
 * `$context.requestId`): two requests with one id would be one record, and only one of them would be billed. `bodyBytes`: of the event.
 */
export function hostOf(context: Context, bodyBytes: number): RequestHost {
  const memory = createLambdaMemory({ memorySize: Number(context.memoryLimitInMB), bodyBytes });
  memory.admit(bodyBytes * bodyFactor);
  return {
    requestId: withTime(context.awsRequestId, Date.now()),
    lambdaRequestId: context.awsRequestId,
    remainingMs: () => context.getRemainingTimeInMillis(),
    memory,
  };
}
