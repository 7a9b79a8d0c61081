/** Counts the tokens of an input, as OpenAI does. Source: OpenAI's reference, "Get input token counts". */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { objectOf, unknownKey } from '../json.ts';
import { refuse, refuseUnknown } from '../openai/refuse.ts';
import { countInput } from '../script.ts';
import type { ResponsesBehaviour } from './behaviour.ts';
import { checkResponses } from './check.ts';
import { readResponses } from './read.ts';

const known = new Set(
  [
    'conversation input instructions model parallel_tool_calls personality previous_response_id reasoning text',
    'tool_choice tools truncation',
  ].flatMap((line) => line.split(' ')),
);

export function countResponses(request: SandboxRequest, behaviour: ResponsesBehaviour): SandboxResponse {
  const { body, provider, method } = request;
  if (method !== 'POST')
    refuse(`Invalid method for URL (${method} /v1/responses/input_tokens)`, null, null, 405);
  const unknown = unknownKey(objectOf(body), known);
  if (unknown !== undefined) refuseUnknown(unknown);
  checkResponses(body, provider, behaviour);
  const input_tokens = countInput(readResponses(body, provider, false));
  return jsonAnswer({ object: 'response.input_tokens', input_tokens });
}
