/** The Lambda that exports the ledger of a day to a bucket. It answers no request. */
import { createExporter } from '../lib/runtime/records/export-runtime.ts';

export const handler = createExporter();
