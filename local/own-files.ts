/** The dashboard's page and the OpenAPI documents of a local gateway: built from their sources in memory when they are first asked for, so that nothing waits for them before. */
import { create as adminOpenapi } from '../functions/admin/openapi.ts';
import { create as openapi } from '../functions/openapi.ts';
import type { PageFiles } from '../lib/core/admin/page-files.ts';
import { servePage } from '../lib/http/page/serve-page.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { functionsOf } from '../server/functions.ts';
import type { LoadHandler, StreamingHandler } from '../server/in-process.ts';

/** What the build puts beside a bundle is not beside the sources of these functions. All others are loaded as they are. */
export function localFunctions(variables: Variables): LoadHandler {
  const load = functionsOf(variables);
  const own: Readonly<Record<string, () => unknown>> = {
    'dashboard-files': localPage,
    openapi: () =>
      openapi(variables, async () => (await import('../build/openapi/openapi.ts')).openapiDocument()),
    'admin-openapi': () =>
      adminOpenapi(variables, async () =>
        (await import('../build/openapi/admin/admin-openapi.ts')).adminOpenapi(),
      ),
  };
  return async (operation) => (own[operation.name]?.() as StreamingHandler) ?? (await load(operation));
}

function localPage() {
  let built: Promise<PageFiles> | undefined;
  const files = () => {
    // A mistake in a source can be corrected while the gateway runs.
    built ??= build().catch((thrown) => {
      built = undefined;
      throw thrown;
    });
    return built;
  };
  return servePage(files);
}

async function build(): Promise<PageFiles> {
  const { buildPage } = await import('../build/dashboard.ts');
  return await buildPage();
}
