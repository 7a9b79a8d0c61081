/** What the bodies of both contracts have beside their own fields: the gateway's options, and the headers that the lines of a batch have, too. */
import * as z from 'zod/mini';
import type { NewBatch } from '../../core/batches.ts';
import type { ReadHeader } from '../../core/endpoint.ts';
import { nullish, nullishFlag } from '../request-schema.ts';

export const batchModes = ['native', 'any'] as const satisfies readonly NewBatch['mode'][];

export const batchExtra = nullish(
  z.strictObject({ batch: nullish(z.enum(batchModes)), dry_run: nullishFlag }),
);

/** Of a request to create a batch; each line of it is recorded with them, and sent with the betas. */
const lineHeaders = [
  'x-gateway-user-id',
  'x-gateway-session-id',
  'x-claude-code-session-id',
  'x-gateway-tags',
  'anthropic-version',
  'anthropic-beta',
] as const;

const headersOf = (header: ReadHeader = () => undefined): NewBatch['headers'] =>
  Object.fromEntries(
    lineHeaders.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

export function readOptions(extra: z.infer<typeof batchExtra>, header?: ReadHeader) {
  return {
    mode: extra?.batch ?? undefined,
    ...(extra?.dry_run && { dryRun: true as const }),
    headers: headersOf(header),
  };
}
