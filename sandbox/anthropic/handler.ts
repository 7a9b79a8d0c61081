/** The Anthropic Messages protocol of the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkContext } from '../context-limit.ts';
import { type Handler, jsonAnswer, newId, type SandboxResponse, streamAnswer } from '../exchange.ts';
import { objectOf, textOf } from '../json.ts';
import { decide } from '../script.ts';
import { countCache } from './cache.ts';
import { checkRequest } from './check.ts';
import { countMessage } from './count-tokens.ts';
import { readMessages } from './read.ts';
import { refuse } from './refuse.ts';
import { readTerms } from './terms.ts';
import { writeMessage, writeMessageStream } from './write.ts';

export const anthropicHandler: Handler = (request) => {
  const terms = readTerms(request);
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
