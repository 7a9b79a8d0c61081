/** The entry of a nightly job that exports the ledger of yesterday, or of the day that is its argument, where there is no Lambda. */
import { handler } from '../functions/export.ts';

try {
  const [day] = process.argv.slice(2);
  await handler({ ...(day !== undefined && { day }) });
} catch {
  // The function has logged why.
  process.exitCode = 1;
}
