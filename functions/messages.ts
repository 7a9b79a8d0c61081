/** The Lambda of `POST /v1/messages`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { messagesEndpoint } from '../lib/operations/messages/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'messages', generationRuntime, (runtime) => {
  runtime.startAhead('anthropic');
  return messagesEndpoint(runtime);
});
