/** Counts input tokens, and compacts a conversation. Sources: OpenAI's reference, "Get input token counts" and "Compact a response"; Azure's takes the same body. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { refuse, refuseUnknown } from '../openai/refuse.ts';
import { countInput } from '../script.ts';
import type { ResponsesBehaviour } from './behaviour.ts';
import { checkResponses } from './check.ts';
import { readResponses } from './read.ts';
import { now } from './response.ts';

const known = wordSet(
  'model input previous_response_id instructions service_tier prompt_cache_key',
  'prompt_cache_retention prompt_cache_options',
);

/** The tokens of the item that stands for the rest. */
const written = 40;

export function compactResponses(request: SandboxRequest, behaviour: ResponsesBehaviour): SandboxResponse {
  const { body, provider, method } = request;
  if (method !== 'POST') refuse(`Invalid method for URL (${method} /v1/responses/compact)`, null, null, 405);
  checkKeys(objectOf(body), known, refuseUnknown);
  checkResponses(body, provider, behaviour);
  const input = countInput(readResponses(body, provider, false));
  return jsonAnswer({
    id: newId('resp_'),
    object: 'response.compaction',
    created_at: now(),
    output: [...objectsOf(body.input).filter(isOfUser), compaction(provider, textOf(body.model))],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + written,
    },
  });
}

const isOfUser = ({ type = 'message', role }: JsonObject) => type === 'message' && role === 'user';

const compaction = (provider: string, model: string): JsonObject => ({
  type: 'compaction',
  id: newId('cmp_'),
  encrypted_content: Buffer.from(`sandbox ${provider} ${model}`).toString('base64'),
});

const counted = wordSet(
  'conversation input instructions model parallel_tool_calls personality previous_response_id',
  'reasoning text tool_choice tools truncation',
);

export function countResponses(request: SandboxRequest, behaviour: ResponsesBehaviour): SandboxResponse {
  const { body, provider, method } = request;
  if (method !== 'POST')
    refuse(`Invalid method for URL (${method} /v1/responses/input_tokens)`, null, null, 405);
  checkKeys(objectOf(body), counted, refuseUnknown);
  checkResponses(body, provider, behaviour);
  const input_tokens = countInput(readResponses(body, provider, false));
  return jsonAnswer({ object: 'response.input_tokens', input_tokens });
}
