/**
 * What chat completions and responses share: plan the targets, and for each one normalize and call, until one answers.
 */
import type { Call } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/events.ts';
import type { GenerationRequest } from '../core/generation.ts';
import type { Target } from '../core/model.ts';
import type { Endpoint } from '../core/operations.ts';
import type { Catalog } from '../core/ports.ts';
import { type Change, normalize } from '../normalization/rule.ts';
import { type Connections, generate as callTarget } from '../providers/generate.ts';
import type { Provider } from '../providers/provider.ts';
import { type Answered, type Attempt, firstAnswer } from '../routing/attempt.ts';
import { plan } from '../routing/plan.ts';

export interface GenerateParts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly connections: Connections;
  readonly now: () => number;
}

/** What the caller asked, beside the request itself. */
export interface Asked {
  readonly model: string;
  readonly fallbacks: readonly string[];
  /** False: parameters go upstream as they came. */
  readonly normalize: boolean;
  readonly request: GenerationRequest;
}

/** What is known of an answer when its first event has come. */
export interface AnswerDetails {
  readonly changes: readonly Change[];
  readonly sandbox: boolean;
}

export type Generated = Answered<AnswerDetails>;

/** Resolves with the first answer; rejects with GatewayError when no target gave one. */
export async function generate(
  parts: GenerateParts,
  endpoint: Endpoint,
  asked: Asked,
  call: Call<unknown>,
): Promise<Generated> {
  const { facts, signal, remainingMs } = call;
  facts.model = asked.model;
  const targets = await plan(parts.catalog, {
    model: asked.model,
    fallbacks: asked.fallbacks,
    endpoint,
    needs: modalitiesOf(asked.request),
  });
  const generated = await firstAnswer({
    targets,
    open: (target) => open(parts, target, asked, signal),
    now: parts.now,
    remainingMs,
    signal,
    onAttempt: ({ target }: Attempt) => {
      facts.attempts = (facts.attempts ?? 0) + 1;
      facts.model = target.model.id;
      facts.provider = target.deployment.provider;
      facts.region = target.deployment.region;
    },
  }).catch((error) => {
    throw reasonOf(signal, error);
  });
  return { ...generated, events: observed(generated.events, call) };
}

async function open(parts: GenerateParts, target: Target, asked: Asked, signal: AbortSignal) {
  const provider = parts.providers.get(target.deployment.provider);
  const generation = provider?.generation;
  if (!provider || !generation) {
    throw new GatewayError(
      'upstream_model_missing',
      'The catalog names a provider that cannot serve this model.',
    );
  }
  const { request, changes } = asked.normalize
    ? normalize(asked.request, target, generation.rules)
    : { request: asked.request, changes: [] };
  const { events, sandbox } = await callTarget(
    provider,
    generation,
    target,
    request,
    parts.connections,
    signal,
  );
  return { events, details: { changes, sandbox } };
}

/** Notes for the log what the events tell of the work. */
async function* observed(
  events: AsyncIterable<GenerationEvent>,
  { facts, signal }: Call<unknown>,
): AsyncGenerator<GenerationEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'usage') facts.usage = event.usage;
      if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
      yield event;
    }
  } catch (error) {
    throw reasonOf(signal, error);
  }
}

/** Where the request itself was ended, what ended it says more than the exchange that broke off because of it. */
function reasonOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted && signal.reason instanceof GatewayError ? signal.reason : error;
}

function modalitiesOf(request: GenerationRequest): readonly string[] {
  const hasImage = request.messages.some((message) => message.content.some((part) => part.type === 'image'));
  return hasImage ? ['text', 'image'] : ['text'];
}
