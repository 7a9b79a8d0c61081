/** A process of its own that serves requests on the database of a test, as an environment of the functions does: it has no aggregator. */

import { operations } from '../../../lib/core/operations.ts';
import { functionsOf } from '../../../server/functions.ts';
import { startServer } from '../../../server/http/server.ts';
import { loadInProcessEngine } from '../../../server/in-process.ts';

const invoke = await loadInProcessEngine(operations, functionsOf(process.env));
const { url } = await startServer({ operations, invoke, port: 0 });
process.send?.({ url });
