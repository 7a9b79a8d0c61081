/** The Lambda that creates responses in the background, and sends webhooks when they end. It is invoked with the name of one, and answers no request. */
import { runHandler } from '../lib/http/lambda/run-handler.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';
import { deliverEvent } from '../lib/runtime/webhook-runtime.ts';
import { create as createRunResponse } from './run-and-notify.ts';

export const create = (variables: Variables) => {
  const { log, startAhead } = responsesRuntime(variables);
  startAhead('openai');
  return runHandler({ run: createRunResponse(variables), deliver: deliverEvent(variables), log });
};
