/** The Lambda that exports the ledger of a day to a bucket. It answers no request. */
import type { Variables } from '../lib/runtime/environment.ts';
import { lightFoundation } from '../lib/runtime/light-runtime.ts';
import { createExporter } from '../lib/runtime/records/export-runtime.ts';

export const create = (variables: Variables) => createExporter(lightFoundation(variables));
