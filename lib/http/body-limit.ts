/** The largest request body, in bytes: what API Gateway takes. */
export const maxBodyBytes = 10 * 1024 * 1024;
