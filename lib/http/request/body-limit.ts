/** The largest request body, in bytes: what API Gateway takes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/**
 * The largest request body, in bytes, that is read while its caller's key is looked up. Nothing is done with a larger one, or with
 * one that is compressed, until it is known whose it is and that their limits are not used up.
 */
export const earlyBodyBytes = 64 * 1024;

/**
 * What one byte of a body takes until its answer is there: its text, what is read from it, and what is sent to the provider. Measured
 * while ten bodies of 10 MB waited for their provider, as memory of the process for each byte: 5 where most of it is one text, 6 with
 * an image in base64, 12 to 14 with as many small parts as a body may have.
 */
export const bodyFactor = 12;

/** The same where most of it are few texts, and what each of its values takes beside that. */
export const textFactor = 6;
export const valueBytes = 192;

/** The same of a form: itself, its files, and a quarter of it as base64 in three places for a provider whose requests are JSON. */
export const formFactor = 4;
