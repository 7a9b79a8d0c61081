/** The parameter `expires_after`: for how long a file is kept. */
import * as z from 'zod/mini';
import { maxFileSeconds } from '../../core/files.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';

const minFileSeconds = 3_600;

/** In a form, numbers are texts. */
export const expiresAfterField = z.nullish(
  z.strictObject({
    anchor: z.literal('created_at'),
    seconds: queryIntegerBetween(minFileSeconds, maxFileSeconds),
  }),
);

/** In seconds: as long as is asked for, and no longer than the gateway keeps files. */
export const secondsOf = (
  expiresAfter: z.infer<typeof expiresAfterField>,
  { fileSeconds }: { readonly fileSeconds: number },
): number => Math.min(expiresAfter?.seconds ?? fileSeconds, fileSeconds);
