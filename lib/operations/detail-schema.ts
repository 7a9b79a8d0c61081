/** Reasoning details that a caller hands back encoded: checked, because a caller can construct such a text too. */
import * as z from 'zod/mini';
import { lazy } from '../async/lazy.ts';
import { longList } from './request-schema.ts';

const base = () => ({
  format: z.string(),
  index: z.int(),
  id: z.exactOptional(z.string()),
});

export const encodedDetails = lazy(() =>
  longList(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('reasoning.text'),
        text: z.string(),
        signature: z.exactOptional(z.string()),
        ...base(),
      }),
      z.object({ type: z.literal('reasoning.summary'), summary: z.string(), ...base() }),
      z.object({ type: z.literal('reasoning.encrypted'), data: z.string(), ...base() }),
    ]),
  ),
);
