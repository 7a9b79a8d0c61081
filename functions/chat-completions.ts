/** The Lambda of `POST /v1/chat/completions`. */
import { generationRows } from '../lib/core/operations/generation.ts';
import { chatEndpoint } from '../lib/operations/chat/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';
import { functionOf } from './function-of.ts';

export const create = functionOf(generationRows, 'chat-completions', generationRuntime, (runtime) => {
  runtime.startAhead('openai');
  return chatEndpoint(runtime);
});
