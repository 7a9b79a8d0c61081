/**
 * One target asked: the request as the target takes it, sent on the wire that the operation uses there.
 */

import type { Batched } from '../async/pipe.ts';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import type { GenerationRequest } from '../core/generation/request.ts';
import type { Usage } from '../core/generation/usage.ts';
import type { Target } from '../core/model.ts';
import type { ModelEndpoint } from '../core/operations.ts';
import { normalize } from '../normalization/normalize.ts';
import type { Change, Normalized } from '../normalization/rule.ts';
import type { Connections } from '../pipeline/account.ts';
import { generate } from '../pipeline/generate.ts';
import { type Generation, generationOf, type Providers } from '../providers/provider.ts';
import { begin } from '../routing/begin.ts';
import { withinContext } from './within-context.ts';
import { withoutRefused } from './without-refused.ts';

/** What the caller asked, beside the request itself. */
export interface Asked {
  readonly model: string;
  readonly fallbacks: readonly string[];
  /** False: parameters go upstream as they came. */
  readonly normalize: boolean;
  readonly request: GenerationRequest;
  /** True: where the conversation is too long for the model, its middle is left out. */
  readonly truncate?: boolean;
}

/** What is known of an answer when its first event has come. */
export interface AnswerDetails {
  readonly changes: readonly Change[];
  readonly sandbox: boolean;
  /** What upstream has counted of it so far, where its wire counts before the end. */
  readonly usageSoFar: () => Usage | undefined;
}

/** How the targets of one request are spoken to. */
export interface Wires {
  readonly providers: Providers;
  readonly endpoint: ModelEndpoint;
  /** The target that is asked first: a caller's `native_fields` are those of its wire. */
  readonly primary: Target;
}

export interface AskParts extends Wires {
  readonly connections: Connections;
}

export async function askTarget(
  parts: AskParts,
  target: Target,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ readonly events: Batched<GenerationEvent>; readonly details: AnswerDetails }> {
  const { provider, generation } = wireOf(parts, target);
  const send = (request: GenerationRequest) =>
    generate(provider, generation, target, request, parts.connections, signal);
  const ask = async (request: GenerationRequest) => {
    const { answer, changes } = asked.normalize
      ? await withoutRefused(normalizeFor(parts, target, request), send)
      : { answer: await send(request), changes: [] };
    return { ...answer, changes: [...changes, ...answer.changes] };
  };
  // Some providers tell only inside of a stream that the conversation is too long.
  const askAndBegin = async (request: GenerationRequest) => {
    const answer = await ask(request);
    return { ...answer, events: await begin(answer.events) };
  };
  const { events, sandbox, changes, usageSoFar } = asked.truncate
    ? await withinContext(asked.request, target.model.limits, askAndBegin)
    : await ask(asked.request);
  return { events, details: { changes, sandbox, usageSoFar } };
}

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function normalizeFor(wires: Wires, target: Target, request: GenerationRequest): Normalized {
  const { generation } = wireOf(wires, target);
  checkWebSearch(request, target, generation);
  const own = withOwnFields(request, generation, wireOf(wires, wires.primary).generation);
  const normalized = normalize(own.request, target, generation.rules);
  return { ...normalized, changes: [...own.changes, ...normalized.changes] };
}

function wireOf({ providers, endpoint }: Wires, { deployment }: Target) {
  const provider = providers.get(deployment.provider);
  const generation = provider && generationOf(provider, endpoint);
  if (provider && generation) return { provider, generation };
  throw new GatewayError(
    'upstream_model_missing',
    'The catalog names a provider that cannot serve this model.',
  );
}

/** What a model does not search it would make up, so that a search is never left out. */
function checkWebSearch({ webSearch }: GenerationRequest, { model }: Target, generation: Generation): void {
  if (!webSearch || (model.traits.webSearch && generation.searchesWeb)) return;
  const message = `The model '${model.id}' does not search the web: it has no tool of type '${webSearch.type}'.`;
  throw new GatewayError('invalid_request', message, { param: `tools.${webSearch.position}.type` });
}

/** Fields of one provider's wire mean nothing on another's, where a fallback may be asked. */
function withOwnFields(request: GenerationRequest, own: Generation, primary: Generation): Normalized {
  const { nativeFields, ...others } = request;
  if (!nativeFields || own.protocol.name === primary.protocol.name) return { request, changes: [] };
  const change: Change = {
    param: 'native_fields',
    action: 'strip',
    before: Object.keys(nativeFields),
    after: null,
    reason: 'They are fields of another wire than this fallback has.',
  };
  return { request: others, changes: [change] };
}
