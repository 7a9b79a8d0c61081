/** The dashboard's page and the OpenAPI documents of a local gateway: built from their sources in memory when they are first asked for, so that nothing waits for them before. */
import { create as openapi } from '../functions/openapi.ts';
import type { PageFiles } from '../lib/core/admin/page-files.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { functionsOf } from '../server/functions.ts';
import type { LoadHandler, StreamingHandler } from '../server/in-process.ts';

/** What the build puts beside a bundle is not beside the sources of these functions. All others are loaded as they are. */
export function localFunctions(variables: Variables): LoadHandler {
  const load = functionsOf(variables, {
    page: builtOnce(),
    openapi: async () => (await import('../build/openapi/admin/admin-openapi.ts')).adminOpenapi(),
  });
  return async (operation) => {
    if (operation.name !== 'openapi') return await load(operation);
    const document = async () => (await import('../build/openapi/openapi.ts')).openapiDocument();
    return openapi(variables, document) as unknown as StreamingHandler;
  };
}

/** A mistake in a source can be corrected while the gateway runs: a build that failed is made again. */
function builtOnce(): () => Promise<PageFiles> {
  let built: Promise<PageFiles> | undefined;
  return () => {
    built ??= build().catch((thrown) => {
      built = undefined;
      throw thrown;
    });
    return built;
  };
}

async function build(): Promise<PageFiles> {
  const { buildPage } = await import('../build/dashboard.ts');
  return await buildPage();
}
