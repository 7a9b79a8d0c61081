/**
 * The compaction of OpenAI's Responses API. Source: its public reference of `POST /responses/compact`, and Azure's, which takes
 * the same body: model, input, instructions, previous response and prompt caching.
 */

import { asObject, isJsonObject, objectsIn } from '../../core/formats/json-object.ts';
import type { Compactor } from '../../core/generation/original/protocol.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

const taken = ['model', 'input', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options'];

export const responsesCompactor: Compactor = {
  path: '/responses/compact',
  body: (encoded) =>
    Object.fromEntries(taken.flatMap((name) => (name in encoded ? [[name, encoded[name]]] : []))),
  read(answer) {
    const { output, usage } = asObject<wire.Answer>(answer);
    const items = objectsIn(output);
    if (!items.some(({ type }) => type === 'compaction')) return undefined;
    const counted = readUsage(usage);
    return {
      items,
      ...(counted && { usage: counted }),
      ...(isJsonObject(usage) && { rawUsage: usage }),
    };
  },
};
