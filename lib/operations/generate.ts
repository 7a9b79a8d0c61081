/**
 * What chat completions and responses share: plan the targets, and for each one normalize and call, until one answers.
 */
import type { Call } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/events.ts';
import type { GenerationRequest } from '../core/generation.ts';
import type { Deployment, Target } from '../core/model.ts';
import type { Endpoint } from '../core/operations.ts';
import type { Catalog } from '../core/ports.ts';
import { normalize } from '../normalization/normalize.ts';
import type { Change } from '../normalization/rule.ts';
import { type Connections, generate as callTarget } from '../providers/generate.ts';
import type { Provider } from '../providers/provider.ts';
import { type Answered, firstAnswer } from '../routing/attempt.ts';
import type { Health } from '../routing/health.ts';
import { plan, type Standing } from '../routing/plan.ts';
import { withoutRefused } from './without-refused.ts';

export interface GenerateParts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly connections: Connections;
  readonly health: Health;
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
  const { health, now } = parts;
  facts.model = asked.model;
  const { targets, changes } = await planFor(parts, endpoint, asked, call);
  if (asked.normalize) checkFallbacks(parts, targets, asked);
  const generated = await firstAnswer({
    targets,
    open: (target, attemptSignal) => open(parts, target, asked, attemptSignal),
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
  const standing = (deployment: Deployment) => standingOf(parts, deployment);
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
function checkFallbacks({ providers }: GenerateParts, targets: readonly Target[], asked: Asked): void {
  if (asked.fallbacks.length === 0) return;
  for (const target of targets) {
    const rules = providers.get(target.deployment.provider)?.generation?.rules;
    if (!rules) continue;
    try {
      normalize(asked.request, target, rules);
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
  { provider: name }: Deployment,
): Promise<Standing> {
  const provider = providers.get(name);
  if (!provider?.generation) return 'absent';
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

async function open(parts: GenerateParts, target: Target, asked: Asked, signal: AbortSignal) {
  const provider = parts.providers.get(target.deployment.provider);
  const generation = provider?.generation;
  if (!provider || !generation) {
    throw new GatewayError(
      'upstream_model_missing',
      'The catalog names a provider that cannot serve this model.',
    );
  }
  const send = (request: GenerationRequest) =>
    callTarget(provider, generation, target, request, parts.connections, signal);
  const { answer, changes } = asked.normalize
    ? await withoutRefused(normalize(asked.request, target, generation.rules), send)
    : { answer: await send(asked.request), changes: [] };
  const { events, sandbox } = answer;
  return { events, details: { changes: [...changes, ...answer.changes], sandbox } };
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
  const hasImage = request.messages.some((message) => message.content.some((part) => part.type === 'image'));
  return hasImage ? ['text', 'image'] : ['text'];
}
