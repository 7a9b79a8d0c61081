/** The functions of all operations, each loaded on demand. A bundler makes a chunk of each. */
import type { AdminFiles } from '../functions/admin/admin-function.ts';
import { type FunctionName, functionNameOf, operations } from '../lib/core/operations.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import type { LoadHandler } from './in-process.ts';

type Load = () => Promise<{ create(variables: Variables): Handler }>;

const entries: Readonly<Partial<Record<FunctionName, Load>>> = {
  'chat-completions': () => import('../functions/chat-completions.ts'),
  responses: () => import('../functions/responses.ts'),
  'responses-retrieve': () => import('../functions/responses-retrieve.ts'),
  'responses-cancel': () => import('../functions/responses-cancel.ts'),
  'responses-delete': () => import('../functions/responses-delete.ts'),
  'responses-input-items': () => import('../functions/responses-input-items.ts'),
  'responses-input-tokens': () => import('../functions/responses-input-tokens.ts'),
  'responses-compact': () => import('../functions/responses-compact.ts'),
  messages: () => import('../functions/messages.ts'),
  'messages-count-tokens': () => import('../functions/messages-count-tokens.ts'),
  completions: () => import('../functions/completions.ts'),
  'streams-retrieve': () => import('../functions/streams-retrieve.ts'),
  embeddings: () => import('../functions/embeddings.ts'),
  'images-generations': () => import('../functions/images-generations.ts'),
  moderations: () => import('../functions/moderations.ts'),
  rerank: () => import('../functions/rerank.ts'),
  'audio-speech': () => import('../functions/audio-speech.ts'),
  'audio-transcriptions': () => import('../functions/audio-transcriptions.ts'),
  files: () => import('../functions/files.ts'),
  batches: () => import('../functions/batches.ts'),
  models: () => import('../functions/models.ts'),
  'models-retrieve': () => import('../functions/models-retrieve.ts'),
  'usage-retrieve': () => import('../functions/usage-retrieve.ts'),
  'usage-request': () => import('../functions/usage-request.ts'),
  openapi: () => import('../functions/openapi.ts'),
};

/** The handlers of the operations in an environment, for `loadInProcessEngine`. `files` are those of the dashboard that are not beside its program. */
export const functionsOf =
  (variables: Variables, files?: AdminFiles): LoadHandler =>
  async ({ name }) => {
    const operation = operations.find((one) => one.name === name);
    const load = operation && entries[functionNameOf(operation)];
    if (load) return (await load()).create(variables);
    const { create } = await import('../functions/admin.ts');
    return await create(variables, name, files);
  };
