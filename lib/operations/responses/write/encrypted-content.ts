/**
 * `encrypted_content` of a reasoning item: the house's details of the reasoning, sealed into one text, so that what every
 * provider signed comes back byte for byte and still tells whose it is. Sealed means kept whole, not kept secret.
 */
import * as z from 'zod/mini';
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import { parseJson } from '../../../core/parse-json.ts';

/** No provider's own begins so: theirs are base64, or JSON Web Encryption, which begin otherwise. */
const prefix = 'mgw1_';

export function seal(details: readonly ReasoningDetail[]): string {
  return prefix + Buffer.from(JSON.stringify(details)).toString('base64url');
}

/** Undefined for a text that `seal` did not make. */
export function unseal(text: string): readonly ReasoningDetail[] | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const json = Buffer.from(text.slice(prefix.length), 'base64url').toString();
  return z.safeParse(sealed, parseJson(json)).data;
}

/** A caller can write one, too: what comes out has the house's form in any case. */
const base = {
  format: z.string(),
  index: z.int(),
  id: z.exactOptional(z.string()),
};

const sealed = z.array(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('reasoning.text'),
      text: z.string(),
      signature: z.exactOptional(z.string()),
      ...base,
    }),
    z.object({ type: z.literal('reasoning.summary'), summary: z.string(), ...base }),
    z.object({ type: z.literal('reasoning.encrypted'), data: z.string(), ...base }),
  ]),
);
