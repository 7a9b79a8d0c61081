/** Of the page of the dashboard: its files, the document of its API, and what its playground calls. */
import { nothing } from '../../lib/core/admin/admin-endpoint.ts';
import { adminOperationNamed } from '../../lib/core/admin/admin-operations.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { type AdminFunctions, type Asked, open } from './admin-function.ts';

/** Chat completions, at an address of the dashboard. */
async function playground({ name, variables }: Asked): Promise<Handler> {
  const [{ serve }, { chatEndpoint }, { generationRuntime }] = await Promise.all([
    import('../../lib/http/serve.ts'),
    import('../../lib/operations/chat/endpoint.ts'),
    import('../../lib/runtime/generation-runtime.ts'),
  ]);
  const runtime = generationRuntime(variables);
  const { path } = adminOperationNamed(name);
  return serve({ ...operationNamed('chat-completions'), path }, chatEndpoint(runtime), runtime);
}

export const pageFunctions = {
  'admin-openapi': open(async (_, { files }) => ({
    parameters: nothing,
    body: nothing,
    answer: async () => ({ type: 'json', body: await files.openapi() }),
  })),
  'admin-playground': playground,
  'dashboard-files': async ({ files }) =>
    (await import('../../lib/http/page/serve-page.ts')).servePage(files.page),
} satisfies AdminFunctions;
