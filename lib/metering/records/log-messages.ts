/** The messages of the log lines from which the ledger can be restored: `log-lines.ts` reads them. */

/** A record that could not be written. */
export const lossMessage = 'usage record lost';

/** The open record of a request that is about to be sent to a provider, beside its write. */
export const openMessage = 'usage opened';
