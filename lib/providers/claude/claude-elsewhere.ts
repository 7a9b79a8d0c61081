/**
 * Requests to Claude in Anthropic's protocol, at deployments other than Anthropic. Betas are sent as they came. A deployment refuses a
 * request with one that its model does not have, and which those are differs by deployment and model and changes with time: so a
 * request that is refused for its betas is sent again with what the deployment takes of them, and at last with none. What was left
 * out is on record, and the process remembers it. Sources: anthropics/claude-code issues 21767, 49370 and 56595.
 */
import { hash } from 'node:crypto';
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import type { TokenCounter } from '../../core/generation/original/protocol.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import type { Change } from '../../normalization/rule.ts';
import { betasIn } from '../../protocols/anthropic-messages/original.ts';
import { readBytesInTime, withBody } from '../../transport/read-body.ts';
import { type Called, callOnce, type ReadyCall } from '../provider.ts';
import { withoutFieldsOf } from './claude-beta-fields.ts';

/** What to send in place of `sent` after an answer with this body; undefined where it does not refuse a beta. */
export type NextBetas = (body: string, sent: readonly string[]) => readonly string[] | undefined;

/** Another name for the same, outside of Anthropic's own API. Source: LiteLLM's anthropic_beta_headers_config.json. */
export const otherNames: Readonly<Record<string, string>> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
};

/** A refusal of betas is a sentence. */
const maxRefusalBytes = 64 * 1024;
const maxRefusalMs = 5_000;

/** How often a request is refused for its betas before it is sent without any. */
const maxBetaRefusals = 2;

/** How many refusals a process remembers: of a model and a list of betas, which differs by client and its release. */
const maxRememberedRefusals = 200;

/** Calls a deployment other than Anthropic's own API. */
export function callingElsewhere(next: NextBetas): (call: ReadyCall) => Promise<Called> {
  const call = callingWithBetas(next);
  return async (ready) => {
    const { original } = ready.request;
    const { service_tier: tier, ...body } = original?.body ?? {};
    if (!original || tier === undefined) return await call(ready);
    const called = await call({ ...ready, request: { ...ready.request, original: { ...original, body } } });
    return { ...called, changes: [withoutTier(tier), ...called.changes] };
  };
}

/** Capacity with priority is Anthropic's own: elsewhere the field is refused. Source: "Service tiers" of the Claude API. */
const withoutTier = (before: unknown): Change => ({
  param: 'service_tier',
  action: 'strip',
  before,
  after: null,
  reason: 'The provider does not support this parameter.',
});

function callingWithBetas(next: NextBetas): (call: ReadyCall) => Promise<Called> {
  const taken = new Map<string, readonly string[]>();
  return async (call) => {
    const { original } = call.request;
    const betas = original ? betasIn(original) : [];
    if (!original || betas.length === 0) return await callOnce(call);
    const key = keyOf(call, betas);
    let sent = taken.get(key) ?? betas;
    for (let refusals = 1; ; refusals += 1) {
      const called = await callWith(call, original, { betas, sent });
      if (called.response.status !== 400 || sent.length === 0) return called;
      const { text, response } = await reread(called.response);
      const left = next(text, sent);
      if (left === undefined) return { ...called, response };
      sent = refusals < maxBetaRefusals ? left : [];
      remember(taken, key, sent);
    }
  };
}

function keyOf({ target: { deployment } }: ReadyCall, betas: readonly string[]): string {
  return hash('sha256', JSON.stringify([deployment.region, deployment.upstreamId, betas]));
}

/** The oldest is forgotten where there are too many. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = entries.keys();
  if (entries.size >= maxRememberedRefusals && oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

interface Betas {
  readonly betas: readonly string[];
  readonly sent: readonly string[];
}

async function callWith(call: ReadyCall, original: OriginalRequest, { betas, sent }: Betas): Promise<Called> {
  if (sent === betas) return await callOnce(call);
  const { body, changes } = withoutFieldsOf(original.body, sent);
  const headers = { ...original.headers, 'anthropic-beta': sent.join(',') };
  const request = { ...call.request, original: { ...original, body, headers } };
  const change: Change = {
    param: 'anthropic-beta',
    action: sent.length > 0 ? 'override' : 'strip',
    before: betas.join(','),
    after: sent.length > 0 ? sent.join(',') : null,
    reason: 'The model at this provider refuses a request with the other betas.',
  };
  const called = await callOnce({ ...call, request });
  return { ...called, changes: [...called.changes, change, ...changes] };
}

/** The body, if it is short and comes in time, and a response that still has it. */
async function reread(response: HttpResponse): Promise<{ text: string; response: HttpResponse }> {
  const bytes = await readBytesInTime(response, maxRefusalBytes, maxRefusalMs);
  const text = bytes ? new TextDecoder().decode(bytes) : '';
  return { text, response: withBody(response, text) };
}

/**
 * Counts tokens of Claude where others serve it. Which betas such a deployment takes is found out with messages;
 * a count is asked without any, and without the fields that are refused then: it is higher without their edits, never lower.
 */
export const countingWithoutBetas = (counter: TokenCounter): TokenCounter => ({
  ...counter,
  takesBetas: false,
  body: (request, upstreamId) => counter.body(withoutFieldsOf(request, []).body, upstreamId),
});
