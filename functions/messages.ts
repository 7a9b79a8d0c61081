/** The Lambda of `POST /v1/messages`. */
import { messagesEndpoint } from '../lib/operations/messages/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf('messages', generationRuntime, (runtime) => {
  runtime.startAhead('anthropic');
  return messagesEndpoint(runtime);
});
