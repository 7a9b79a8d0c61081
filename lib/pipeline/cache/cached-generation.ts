/** Cached answers of the operations that generate: the events of an answer, which a stream and a body are written from alike. */
import { type Piped, pipe, type Transform } from '../../async/pipe.ts';
import type { CacheBypass } from '../../core/caching.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Call } from '../../core/endpoint.ts';
import { exactJson } from '../../core/formats/exact-json.ts';
import { asArray, asObject, type JsonObject, objectsIn } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FinishReason, GenerationEvent } from '../../core/generation/events.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Change } from '../../normalization/rule.ts';
import type { Plan } from '../../routing/plan.ts';
import type { Generated } from '../generation/generated.ts';
import type { Asked } from '../generation/prepare.ts';
import type { PipelineParts } from '../parts.ts';
import { type Cacheable, type KeptAnswer, type OpenedCache, openCache } from './open-cache.ts';

export interface GenerationCache {
  /** Present with a hit. */
  readonly answer?: Generated;
  /** The same answer, which is kept once it has been read. */
  readonly keeping: (generated: Generated) => Generated;
}

export async function cachedGeneration(
  parts: PipelineParts,
  {
    endpoint,
    asked,
    planned,
  }: { readonly endpoint: ModelEndpoint; readonly asked: Asked; readonly planned: Plan },
  call: Call<unknown>,
): Promise<GenerationCache | undefined> {
  const cache = await openCache(parts, planned, cacheableOf(endpoint, asked), call);
  if (!cache) return undefined;
  const { verdict, found } = cache;
  return {
    ...(found && { answer: { ...answerOf(found, asked, call), cache: verdict } }),
    keeping: (generated) => ({ ...kept(generated, asked, { cache, call }), cache: verdict }),
  };
}

export const cacheableOf = (endpoint: ModelEndpoint, asked: Asked): Cacheable => ({
  endpoint,
  wish: asked.cache,
  preferences: asked.preferences,
  guardrails: asked.guardrails,
  bypass: bypassOf(asked),
  asked: () => deciding(asked),
});

/** Of a request, what decides the answer. Its fallbacks do not: an answer of theirs is not kept. */
function deciding({ request, normalize, truncate = false, requireParameters = false }: Asked): JsonObject {
  const { stream: _, parameterPaths: __, original, ...content } = request;
  return {
    normalize,
    truncate,
    requireParameters,
    ...content,
    original: original && withoutStream(original),
  };
}

function withoutStream({ protocol, body, headers }: NonNullable<GenerationRequest['original']>): JsonObject {
  const { stream: _, ...content } = body;
  return { protocol, headers, content };
}

/** Fields of Messages that refer to what Anthropic keeps, or reaches itself. */
const statefulFields = ['container', 'mcp_servers', 'thread'];

function bypassOf({ request, run, isContinued }: Asked): CacheBypass | undefined {
  const { messages, webSearch, hostedTools = [], nativeFields, unbounded, original } = request;
  if (run) return 'background';
  if (isContinued) return 'stored_conversation';
  const isHosted =
    webSearch !== undefined ||
    hostedTools.length > 0 ||
    unbounded === true ||
    nativeFields !== undefined ||
    request.parameters.moderation !== undefined ||
    original?.cost?.isUnbounded === true ||
    (original?.cost?.tools ?? []).length > 0 ||
    statefulFields.some((name) => original?.body[name] != null) ||
    messages.some((message) => 'items' in message && (message.items ?? []).length > 0);
  if (isHosted) return 'hosted_tools';
  const hasLinks =
    messages.some(({ content }) => content.some((part) => 'url' in part && !part.url.startsWith('data:'))) ||
    refersToMedia(original?.body);
  return hasLinks ? 'media' : undefined;
}

/** In Messages: by a URL, or by the id of a file. */
function refersToMedia(body: JsonObject | undefined): boolean {
  const isLink = (block: JsonObject): boolean => {
    const { type } = asObject(block.source);
    return (
      type === 'url' ||
      type === 'file' ||
      block.file_id !== undefined ||
      objectsIn(block.content).some(isLink)
    );
  };
  return objectsIn(body?.messages).some(isLink) || objectsIn(body?.system).some(isLink);
}

/** The members of a kept answer. */
interface KeptGeneration {
  /** JSON: the events as text, since only those of a provider's own protocol have their numbers kept as they are written. */
  readonly events: string;
  readonly isOriginal: boolean;
  readonly sandbox: boolean;
  readonly inputTokens: number;
  /** Without those of the reader. */
  readonly changes: readonly Change[];
}

function answerOf({ target, body }: KeptAnswer, asked: Asked, { facts }: Call<unknown>): Generated {
  const { events: text, isOriginal, sandbox, inputTokens, changes } = asObject<KeptGeneration>(body);
  const parsed: unknown = JSON.parse(`${text}`);
  const events = (isOriginal ? exactJson(`${text}`, parsed) : parsed) as readonly GenerationEvent[];
  const all = [...asked.leftOut, ...(asArray(changes) as readonly Change[])];
  facts.normalizations = all.length;
  facts.finishReasons = events.flatMap((event) => (event.type === 'finish' ? event.reason : []));
  return {
    target,
    attempts: [],
    changes: all,
    isOriginal: isOriginal === true,
    sandbox: sandbox === true,
    replayedInputTokens: Number(inputTokens),
    events: eventsAgain(events),
  };
}

function eventsAgain(events: readonly GenerationEvent[]): Piped<GenerationEvent> {
  const source = (async function* () {
    yield events;
  })();
  return pipe(source, {
    each(list, out: GenerationEvent[]) {
      for (const event of list) out.push(event);
    },
  });
}

/** Of the events of one answer as JSON, in characters: of more than that, little would fit. */
const maxEventsLength = 2 * 1024 * 1024;

const wholeReasons: readonly FinishReason[] = ['stop', 'tool_calls'];

/** Events that are made for each request, or that belong to an answer which is not cached. */
const unkept: readonly GenerationEvent['type'][] = [
  'refusal',
  'web-search',
  'protocol-item',
  'protocol-annotation',
];

interface Keeping {
  readonly cache: OpenedCache;
  readonly call: Call<unknown>;
}

function kept(generated: Generated, asked: Asked, { cache, call }: Keeping): Generated {
  if (cache.verdict.status !== 'miss' || generated.schema !== undefined) return generated;
  const { target, changes, isOriginal, sandbox } = generated;
  const checked = changes.length;
  const collected = collector();
  cache.keep(() => {
    const whole = collected.whole();
    // What a check of a stream has found wrong is noted when it has ended.
    if (!whole || changes.length > checked) return undefined;
    const inputTokens = call.facts.attempts.at(-1)?.inputTokens ?? 0;
    const body: KeptGeneration = {
      events: whole.events,
      isOriginal,
      sandbox,
      inputTokens,
      changes: changes.slice(asked.leftOut.length),
    };
    return { target, tokens: whole.tokens, body: { ...body } };
  });
  return { ...generated, events: generated.events.pipe(collected.transform) };
}

/** Whether the arguments of all calls are JSON: some hosts cut them off and say that the model has ended. */
function callsSeen() {
  const texts = new Map<string, string>();
  const custom = new Set<string>();
  return {
    add(event: GenerationEvent) {
      if (event.type === 'tool-call' && event.kind === 'custom') custom.add(`${event.choice} ${event.call}`);
      if (event.type !== 'tool-arguments') return;
      const name = `${event.choice} ${event.call}`;
      texts.set(name, (texts.get(name) ?? '') + event.text);
    },
    areWhole: () =>
      [...texts].every(([name, text]) => text === '' || custom.has(name) || parseJson(text) !== undefined),
  };
}

function collector() {
  let texts: string[] | undefined = [];
  let length = 0;
  let tokens = { promptTokens: 0, completionTokens: 0 };
  const open = new Set<number>();
  const reasons: FinishReason[] = [];
  const calls = callsSeen();
  const add = (event: GenerationEvent) => {
    if (!texts) return;
    if (event.type === 'usage') {
      const { promptTokens, completionTokens } = event.usage;
      tokens = { promptTokens, completionTokens };
    }
    // Those of a provider's own protocol also come after the end of their choice.
    if ('choice' in event && event.type !== 'upstream') open.add(event.choice);
    if (event.type === 'finish') {
      reasons.push(event.isUnclear ? 'length' : event.reason);
      open.delete(event.choice);
    }
    calls.add(event);
    const text = JSON.stringify(event);
    length += text.length + 1;
    texts.push(text);
    if (length > maxEventsLength || unkept.includes(event.type)) texts = undefined;
  };
  const transform: Transform<readonly GenerationEvent[], GenerationEvent> = {
    each(events, out) {
      for (const event of events) {
        add(event);
        out.push(event);
      }
    },
  };
  return {
    transform,
    /** Undefined for an answer that is cut off, refused, or too long. */
    whole() {
      const isWhole =
        reasons.length > 0 &&
        open.size === 0 &&
        reasons.every((reason) => wholeReasons.includes(reason)) &&
        calls.areWhole();
      return texts && isWhole ? { events: `[${texts.join()}]`, tokens } : undefined;
    },
  };
}
