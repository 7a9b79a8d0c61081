/** The Lambda handler of a function: one event in, one streamed HTTP response out. */
import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Handler } from '../request/http-request.ts';
import type { HttpAnswer } from '../respond.ts';
import { requestOf } from './event.ts';
import { executionModeDirect } from './execution-mode.ts';
import { hostOf } from './host.ts';

export const lambdaHandler = (handle: Handler) =>
  middy<APIGatewayProxyEvent, HttpAnswer>({ executionMode: executionModeDirect }).handler((event, context) =>
    handle(requestOf(event), hostOf(context, event.body?.length ?? 0)),
  );
