/** The Anthropic Messages protocol of the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkContext } from '../context-limit.ts';
import {
  type Handler,
  jsonAnswer,
  newId,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { checkKeys, objectOf, textOf, wordSet } from '../json.ts';
import { countInput, decide } from '../script.ts';
import { answerBatches, isBatchPath } from './batches.ts';
import { countCache } from './cache.ts';
import { checkRequest } from './check.ts';
import { readMessages } from './read.ts';
import { refuse } from './refuse.ts';
import { readTerms, type Terms } from './terms.ts';
import { writeMessage, writeMessageStream } from './write.ts';

export const anthropicHandler: Handler = (request) => {
  const terms = readTerms(request);
  if (isBatchPath(request.path)) return withLimits(answerBatches(request, anthropicHandler));
  if (request.method === 'POST' && request.path === '/messages/count_tokens') {
    return withLimits(countMessage(request, terms));
  }
  if (request.method !== 'POST' || request.path !== '/messages') refuse('Not Found', 404, 'not_found_error');
  const { body } = request;
  checkRequest(body, terms);
  const prompt = readMessages(body, request.provider);
  checkContext(prompt, (counted, limit) =>
    refuse(`prompt is too long: ${counted} tokens > ${limit} maximum`),
  );
  const answer = decide(prompt);
  const options = {
    model: textOf(body.model),
    showThinking: showsThinking(body),
    cache: countCache(body),
    region: textOf(body.inference_geo) || 'global',
  };
  if (body.stream === true) return withLimits(streamAnswer(writeMessageStream(answer, options)));
  return withLimits(jsonAnswer(writeMessage(answer, options)));
};

/** Source: platform.claude.com, "Rate limits" and "API overview" (response headers). */
function withLimits(answer: SandboxResponse): SandboxResponse {
  const limits = Object.entries({ requests: 1_000, tokens: 500_000, 'input-tokens': 400_000 }).flatMap(
    ([what, limit]) => [
      [`anthropic-ratelimit-${what}-limit`, `${limit}`],
      [`anthropic-ratelimit-${what}-remaining`, `${limit - 1}`],
      [`anthropic-ratelimit-${what}-reset`, new Date(Date.now() + 60_000).toISOString()],
    ],
  );
  const own = { 'request-id': newId('req_'), 'anthropic-organization-id': 'sandbox' };
  return { ...answer, headers: { ...answer.headers, ...own, ...Object.fromEntries(limits) } };
}

/** Models from 4.7 on show their thinking only on request; older ones always do. */
function showsThinking(body: JsonObject): boolean {
  const { type, display } = objectOf(body.thinking);
  return display === 'summarized' || (display === undefined && type === 'enabled');
}

const counted = wordSet(
  'messages model cache_control context_management mcp_servers output_config output_format',
  'system thinking tool_choice tools speed compaction billing_policy',
);

/** What a count does not need, and a message does. */
const unlimited = { max_tokens: Number.MAX_SAFE_INTEGER };

function countMessage({ body, provider }: SandboxRequest, terms: Terms): SandboxResponse {
  checkKeys(objectOf(body), counted, (unknown) => refuse(`${unknown}: Extra inputs are not permitted`));
  const whole: unknown = { ...objectOf(body), ...unlimited };
  checkRequest(whole, terms);
  const input_tokens = countInput(readMessages(whole, provider));
  // Source: `BetaMessageTokensCount` in @anthropic-ai/sdk 1.12.0.
  const edited = 'context_management' in whole;
  const context_management = { original_input_tokens: input_tokens };
  return jsonAnswer({ input_tokens, ...(edited && { context_management }) });
}
