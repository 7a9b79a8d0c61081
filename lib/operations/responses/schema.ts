/** The body of a request to the Responses operation: every field that is served with its limits, and no other. */
import * as z from 'zod/mini';

export const responsesSchema = z.strictObject({
  model: z.string().check(z.minLength(1)),
});

export type ResponsesBody = z.infer<typeof responsesSchema>;
