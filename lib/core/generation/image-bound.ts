/** In tokens: more than any model counts for one image that is sent. */
export const maxTokensOfImage = 10_000;
