/**
 * The OpenAI Responses protocol, used without stored state: by OpenAI itself and by hosts that support it.
 */

import { asObject, isJsonObject, objectsIn } from '../../core/formats/json-object.ts';
import type { Compactor, GenerationProtocol, TokenCounter } from '../../core/generation/original/protocol.ts';
import { countedIn, pick, readCount } from '../counts.ts';
import { readServiceTier } from '../service-tier.ts';
import { decodeBody, decodeStream } from './decode.ts';
import type { ResponsesDialect } from './dialect.ts';
import { encode } from './encode.ts';
import { readFailure } from './failure.ts';
import { responsesFields } from './native-fields.ts';
import { readUsage } from './usage.ts';
import type * as wire from './wire.ts';

export function createOpenaiResponses(dialect: ResponsesDialect): GenerationProtocol {
  return {
    name: 'openai-responses',
    nativeFields: () => responsesFields,
    framing: 'sse',
    path: () => '/responses',
    encode: (request, target) => encode(request, target, dialect),
    decodeBody: (body) => decodeBody(body, dialect),
    decodeStream: () => decodeStream(dialect),
    readUsage: (body) => {
      const { usage, service_tier: tier } = asObject<wire.Answer>(body);
      return countedIn(usage, readUsage, readServiceTier(tier));
    },
    readFailure,
  };
}

/** Counts tokens at OpenAI. Source: OpenAI's reference, "Get input token counts". */
const fields = ['model', 'input', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text'];

export const responsesCounter: TokenCounter = {
  path: () => '/responses/input_tokens',
  body: (request) => pick(request, fields),
  read: (answer) => readCount(answer, 'input_tokens'),
};

/**
 * The compaction of OpenAI's Responses API. Source: its public reference of `POST /responses/compact`, and Azure's, which
 * takes the same body: model, input, instructions, previous response and prompt caching.
 */
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
