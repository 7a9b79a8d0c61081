/** The entry of a nightly job that exports the ledger of yesterday, or of the day that is its argument, where there is no Lambda. */
import { create } from '../functions/export.ts';
import { readLogLevel } from '../lib/runtime/log.ts';

try {
  await readLogLevel(process.env);
  const [day] = process.argv.slice(2);
  await create(process.env)({ ...(day !== undefined && { day }) });
} catch {
  // The function has logged why.
  process.exitCode = 1;
}
