/**
 * How large things are that AWS counts by their size, in bytes. Measured on the built functions under the Lambda runtime
 * client; `test/cost/real-calls.test.ts` holds those of the tables against a gateway that runs.
 */

/** One unit of a write, one of a read, and what an API request may answer. */
export const writeUnit = 1_024;
export const readUnit = 4_096;
export const answerUnit = 10_000_000;

/** What of an answer a function streams without a charge by the byte. */
export const freeAnswer = 6_000_000;

/** A record of the ledger, with what upstream counted and the names of its tenant and model. */
export const ledgerRecord = 815;
export const counter = 150;
/** Keys, tenants and rows of the catalog are smaller than one unit of a read. */
export const smallItem = 1_000;
/** What is used up of one scope's limits, and what each request that is under way adds to it. */
export const limitItem = 130;
export const openReservation = 96;
/** The catalog as it ships. */
export const catalogTable = 83_000;
export const catalogRows = 132;
/** What storage counts for each item beside its bytes. */
export const itemOverhead = 100;
/** A piece of a kept response, and what its head has besides. */
export const keptPiece = 300 * 1_024;
export const keptHead = 250;

/** Lines of a function's log: of the request, of a provider that is asked, and Lambda's own three. */
export const requestLine = 590;
export const openedLine = 640;
export const platformLines = 330;
/** What the log counts for each line beside its bytes. */
export const lineOverhead = 26;
export const accessLine = 480;

/** Headers of an answer, and of a call to a provider. */
export const answerHeaders = 900;
export const upstreamHeaders = 700;
