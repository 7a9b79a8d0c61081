/**
 * The betas of a request to Claude on Bedrock. They are sent as they came. A model refuses a request with one that it does not
 * have, and does not name it; which those are differs by model and changes with time. A request that is refused for them is
 * sent again, with the betas that Bedrock is known to take, and at last with none. Sources: anthropics/claude-code issues 49370 and 56595.
 */
import { hash } from 'node:crypto';
import type { OriginalRequest } from '../../core/generation/original.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import type { Change } from '../../normalization/rule.ts';
import { betasIn } from '../../protocols/bedrock-invoke/encode.ts';
import { messageOf } from '../../protocols/bedrock-invoke/failure.ts';
import { lookUp } from '../../protocols/json.ts';
import { readBody } from '../../transport/read-body.ts';
import { type Called, callOnce, type ReadyCall } from '../provider.ts';
import { withoutFieldsOf } from './beta-fields.ts';

/**
 * Betas that some model of Bedrock takes. Sources: AWS, Bedrock user guide, "Request and Response", "Tool use" and "Compaction" of
 * Anthropic Claude, as listed in BerriAI/litellm pull requests 19877 and 29206; its anthropic_beta_headers_config.json.
 */
const known: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
]);

/** Another name for the same here. Source: LiteLLM's anthropic_beta_headers_config.json. */
const names: Readonly<Record<string, string>> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
};

/** An error of Bedrock's is a sentence. */
const maxRefusalBytes = 64 * 1024;

/** How many refusals a process remembers: of a model and a list of betas, which differs by client and its release. */
export const maxRememberedRefusals = 200;

/** How many of the tries were refused. */
const refusals = new Map<string, number>();

export async function callWithBetas(call: ReadyCall): Promise<Called> {
  const { original } = call.request;
  const betas = original ? betasIn(original) : [];
  if (!original || betas.length === 0) return await callOnce(call);
  const key = keyOf(call, betas);
  const tries = triesOf(betas);
  for (let tried = refusals.get(key) ?? 0; ; tried += 1) {
    const kept = tries[tried] ?? [];
    const called = await callWith(call, original, { betas, kept });
    if (kept.length === 0) return called;
    const response = await readIfRefused(called.response);
    if (response !== 'refused') return { ...called, response };
    remember(key, tried + 1);
  }
}

/** What is sent of the betas, one try after the other. */
function triesOf(betas: readonly string[]): readonly (readonly string[])[] {
  const named = betas.map((beta) => lookUp(names, beta) ?? beta);
  const taken = [...new Set(named)].filter((beta) => known.has(beta));
  return taken.join() === betas.join() ? [betas] : [betas, taken];
}

function keyOf({ target: { deployment } }: ReadyCall, betas: readonly string[]): string {
  return hash('sha256', JSON.stringify([deployment.region, deployment.upstreamId, betas]));
}

/** The oldest is forgotten where there are too many. */
function remember(key: string, tried: number): void {
  const [oldest] = refusals.keys();
  if (refusals.size >= maxRememberedRefusals && oldest !== undefined) refusals.delete(oldest);
  refusals.set(key, tried);
}

interface Kept {
  readonly betas: readonly string[];
  readonly kept: readonly string[];
}

async function callWith(call: ReadyCall, original: OriginalRequest, { betas, kept }: Kept): Promise<Called> {
  if (kept.join() === betas.join()) return await callOnce(call);
  const { body, changes } = withoutFieldsOf(original.body, kept);
  const headers = { ...original.headers, 'anthropic-beta': kept.join(',') };
  const request = { ...call.request, original: { ...original, body, headers } };
  const change: Change = {
    param: 'anthropic-beta',
    action: kept.length > 0 ? 'override' : 'strip',
    before: betas.join(','),
    after: kept.length > 0 ? kept.join(',') : null,
    reason: 'The model at this provider refuses one of the betas, and does not name it.',
  };
  const called = await callOnce({ ...call, request });
  return { ...called, changes: [...called.changes, change, ...changes] };
}

async function readIfRefused(response: HttpResponse): Promise<HttpResponse | 'refused'> {
  if (response.status !== 400) return response;
  const text = await readBody(response, maxRefusalBytes);
  if (/^invalid beta flag/i.test(messageOf(text))) return 'refused';
  return { ...response, body: replay(text) };
}

async function* replay(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
