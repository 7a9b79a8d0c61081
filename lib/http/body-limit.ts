/** The largest request body, in bytes: what API Gateway takes. */
export const maxBodyBytes = 10 * 1024 * 1024;

/**
 * The largest request body, in bytes, that is read while its caller's key is looked up. Nothing is done with a larger one, or with
 * one that is compressed, until it is known whose it is and that their limits are not used up.
 */
export const earlyBodyBytes = 64 * 1024;
