/**
 * Sizes that AWS charges for, in bytes. Measured on the built functions under the Lambda runtime client;
 * `test/cost/real-calls.test.ts` compares those of the tables with a running gateway.
 */

/** One write unit, one read unit, and one unit of an API answer. */
export const writeUnit = 1_024;
export const readUnit = 4_096;
export const answerUnit = 10_000_000;

/** The part of an answer that a function streams without a charge by the byte. */
export const freeAnswer = 6_000_000;

/** A record of the ledger with usage, tenant and model; one of a request that is running; and what limits add to both. */
export const ledgerRecord = 795;
export const openRecord = 480;
export const holds = 110;
/** With how far it has seen the stream. */
export const counter = 230;
/** A sum of the dashboard, with some times to the first token. */
export const dashboardSum = 380;
/** Keys, tenants and catalog rows are smaller than one read unit. */
export const smallItem = 1_000;
/** The counters of one scope's limits, with how far they have seen the stream. */
export const limitItem = 340;
/** The catalog that ships with the gateway. */
export const catalogTable = 83_000;
export const catalogRows = 132;
/** What storage charges for each item in addition to its bytes. */
export const itemOverhead = 100;

/**
 * A block of the log of a stream, with its first chunk and its key, and each further chunk in it: compressed, as what is the same in
 * each takes little. Measured with chunks of chat of one word, 240 bytes each.
 */
export const logBlock = 310;
export const logChunk = 10;
/** The share of its bytes that a request takes compressed. Estimated. */
export const compressedRequest = 0.4;

/** Log lines of a function: the request, and Lambda's own three. */
export const requestLine = 590;
/** The open record of a request, where there is no disk to note it on. */
export const openedLine = 780;
/** What the line of a function in Lambda has besides: the id of the invocation. */
export const lambdaRequestId = 60;
export const platformLines = 330;
/** What the log charges for each line in addition to its bytes. */
export const lineOverhead = 26;
export const accessLine = 480;

/** Settings of providers in the parameter store: keys of five. */
export const storedSettings = 5;

/** Headers of an answer, and of a call to a provider. */
export const answerHeaders = 900;
export const upstreamHeaders = 700;
