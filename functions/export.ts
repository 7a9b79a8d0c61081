/** The Lambda that exports the ledger of a day to a bucket. It answers no request. */
import type { Variables } from '../lib/runtime/environment.ts';
import { foundationOf } from '../lib/runtime/foundation.ts';
import { createExporter } from '../lib/runtime/records/export-runtime.ts';

export const create = (variables: Variables) => createExporter(foundationOf(variables));
