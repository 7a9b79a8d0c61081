/** A process of its own that serves requests on the database of a test, as an environment of the functions does: it has no aggregator. */
import { loadInProcessEngine } from '../../../infra/local/front/in-process.ts';
import { startFront } from '../../../infra/local/front/server.ts';
import { operations } from '../../../lib/core/operations.ts';

const invoke = await loadInProcessEngine(operations, async ({ name }) => {
  const { handler } = await import(`../../../functions/${name}.ts`);
  return handler;
});
const { url } = await startFront({ operations, invoke, port: 0 });
process.send?.({ url });
