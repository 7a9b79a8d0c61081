/** The dashboard's page of a local gateway: built from its sources in memory when it is first opened, so that nothing waits for it before. */
import type { PageFiles } from '../lib/core/admin/page-files.ts';
import { servePage } from '../lib/http/page/serve-page.ts';
import type { LoadHandler, StreamingHandler } from '../server/in-process.ts';

/** The page's files are not beside the sources of its function, as they are in a bundle. All other functions are loaded as they are. */
export const loadWithPage =
  (load: LoadHandler): LoadHandler =>
  async (operation) =>
    operation.name === 'dashboard-files' ? localPage() : await load(operation);

function localPage(): StreamingHandler {
  let built: Promise<PageFiles> | undefined;
  const files = () => {
    // A mistake in a source can be corrected while the gateway runs.
    built ??= build().catch((thrown) => {
      built = undefined;
      throw thrown;
    });
    return built;
  };
  return servePage(files) as unknown as StreamingHandler;
}

async function build(): Promise<PageFiles> {
  const { buildPage } = await import('../build/dashboard.ts');
  return await buildPage();
}
