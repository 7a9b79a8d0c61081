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
import type { Connections } from '../providers/generate.ts';
import { generationOf, type Provider } from '../providers/provider.ts';
import { type Answered, firstAnswer } from '../routing/attempt.ts';
import type { Health } from '../routing/health.ts';
import { plan, type Standing } from '../routing/plan.ts';
import { type AnswerDetails, type Asked, askTarget, normalizeFor, type Wires } from './ask-target.ts';

export interface GenerateParts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly connections: Connections;
  readonly health: Health;
  readonly now: () => number;
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
  const { health, now } = parts;
  facts.model = asked.model;
  const { targets, changes } = await planFor(parts, endpoint, asked, call);
  const wires = { providers: parts.providers, endpoint, primary: targets[0] };
  if (asked.normalize) checkFallbacks(wires, targets, asked);
  const generated = await firstAnswer({
    targets,
    open: (target, attemptSignal) =>
      askTarget({ ...wires, connections: parts.connections }, target, asked, attemptSignal),
    firstTokenMs: (target) => (asked.request.stream ? firstTokenMs(parts, target) : undefined),
    now,
    remainingMs,
    signal,
    onAttempt({ target }) {
      facts.attempts = (facts.attempts ?? 0) + 1;
      facts.model = target.model.id;
      facts.provider = target.deployment.provider;
      facts.region = target.deployment.region;
    },
    // Once for a request, however often it tried: what counts is how many callers were failed.
    onFailed: health.failed,
  }).catch((error) => {
    throw reasonOf(signal, error);
  });
  const { details, target, events } = generated;
  return {
    ...generated,
    details: { ...details, changes: [...changes, ...details.changes] },
    events: observed(events, target, health, call),
  };
}

function planFor(parts: GenerateParts, endpoint: Endpoint, asked: Asked, call: Call<unknown>) {
  const { catalog, health } = parts;
  const standing = (target: Target) => standingOf(parts, endpoint, target, asked.request);
  // Two tenants may call their sessions alike.
  const session = call.sessionId === undefined ? undefined : `${call.key?.tenant} ${call.sessionId}`;
  return plan(
    { catalog, health, standing },
    {
      model: asked.model,
      fallbacks: asked.fallbacks,
      endpoint,
      needs: modalitiesOf(asked.request),
      session,
    },
  );
}

/**
 * A fallback that cannot do what is asked is told at once, by its index: found only when the primary fails, it would turn
 * an outage into a riddle.
 */
function checkFallbacks(wires: Wires, targets: readonly Target[], asked: Asked): void {
  if (asked.fallbacks.length === 0) return;
  for (const target of targets) {
    try {
      normalizeFor(wires, target, asked.request);
    } catch (error) {
      const index = asked.fallbacks.indexOf(target.model.id);
      const isFallback = error instanceof GatewayError && index >= 0 && target.model.id !== asked.model;
      throw isFallback ? error.with({ param: `extra.fallbacks.${index}` }) : error;
    }
  }
}

/** Where the credentials cannot be read, they are as good as absent: another target may still answer. */
async function standingOf(
  { providers, connections }: GenerateParts,
  endpoint: Endpoint,
  { deployment: { provider: name }, model }: Target,
  request: GenerationRequest,
): Promise<Standing> {
  const provider = providers.get(name);
  const generation = provider && generationOf(provider, endpoint);
  if (!generation) return 'absent';
  // A model that can search the web is asked where it can; one that cannot at all is refused later, by name.
  if (request.webSearch && model.traits.webSearch && !generation.searchesWeb) return 'absent';
  const access = await connections.findAccess(name).catch(() => undefined);
  if (!access || !provider.isConfigured(access)) return 'absent';
  return access.sandbox ? 'sandbox' : 'real';
}

/**
 * How long a stream may hold nothing but signs of life while another target is left, as a part of the first-byte clock. A
 * model that thinks unseen may take longer than its first byte; one that does not has no reason to.
 */
const firstTokenShare = { thinking: 2, plain: 0.4 };

function firstTokenMs({ connections }: GenerateParts, { model }: Target): number {
  const firstByteMs = connections.clocks.firstByteMs ?? model.clocks.firstByteMs;
  return firstByteMs * firstTokenShare[model.traits.reasoning ? 'thinking' : 'plain'];
}

/** Notes what the events tell of the work, for the log, and how the target fared. */
async function* observed(
  events: AsyncIterable<GenerationEvent>,
  target: Target,
  health: Health,
  { facts, signal }: Call<unknown>,
): AsyncGenerator<GenerationEvent> {
  try {
    for await (const event of events) {
      if (event.type === 'usage') facts.usage = event.usage;
      if (event.type === 'finish') facts.finishReasons = [...(facts.finishReasons ?? []), event.reason];
      yield event;
    }
    health.succeeded(target);
  } catch (thrown) {
    const error = reasonOf(signal, thrown);
    if (error instanceof GatewayError && error.recovery !== 'none') health.failed(target);
    throw error;
  }
}

/** Where the request itself was ended, what ended it says more than the exchange that broke off because of it. */
function reasonOf(signal: AbortSignal, error: unknown): unknown {
  return signal.aborted && signal.reason instanceof GatewayError ? signal.reason : error;
}

function modalitiesOf(request: GenerationRequest): readonly string[] {
  const types = new Set<string>(request.messages.flatMap(({ content }) => content.map(({ type }) => type)));
  return ['text', ...(types.has('image') ? ['image'] : []), ...(types.has('file') ? ['pdf'] : [])];
}
