/**
 * Prompt caching: which of a caller's markers a target takes, and which are set where the caller set none.
 *
 * Markers may move from turn to turn: a model's signed reasoning does not depend on them.
 */
import { mapKept } from '../async/map-kept.ts';
import type { Target } from '../core/catalog/model.ts';
import { cacheSeconds } from '../core/generation/content.ts';
import { startOf } from '../core/generation/conversation.ts';
import { pathOf } from '../core/generation/original/source.ts';
import type {
  CacheControl,
  ContentPart,
  GenerationRequest,
  Message,
  TextPart,
  Tool,
  ToolCall,
} from '../core/generation/request.ts';
import { added, always, type Change, type RequestRule } from './rule.ts';

/** The section of a request that a marker is in, in the order in which models read them. */
type CacheSection = 'tools' | 'system' | 'messages';

const sections: readonly CacheSection[] = ['tools', 'system', 'messages'];

export interface Caching {
  /** Where the target takes markers. */
  readonly sections: (target: Target) => readonly CacheSection[];
  /** Whether it takes markers on the calls of the conversation; true where absent. */
  readonly onCalls?: boolean;
  /** How many it takes; of more, the last ones count. */
  readonly max: number;
  /** The lifetimes that it has, from the shortest, each with a price of its own; absent: any. */
  readonly lifetimes?: readonly string[];
  /** Whether markers are set where the caller set none. */
  readonly automatic: boolean;
}

/** Fits the markers to the target. */
export function cacheMarkers(caching: Caching): RequestRule {
  const { sections: sectionsOf, onCalls = true, automatic } = caching;
  return (request, target) => {
    const taken = sectionsOf(target);
    const takes = ({ section, isCall }: Marker) => taken.includes(section) && (onCalls || !isCall);
    const found = hasMarkers(request) ? findMarkers(request) : [];
    if (found.length > 0) return fitMarkers(request, found, takes, caching);
    return automatic ? mark(request, taken) : undefined;
  };
}

/** For providers that take no markers. */
export const stripCacheMarkers: RequestRule = always(
  cacheMarkers({ sections: () => [], max: 0, automatic: false }),
);

/** What can be marked. */
type Markable = Tool | Message | ContentPart | ToolCall;

/** A marker, and what it is on. */
export interface Marker {
  readonly item: Markable;
  readonly section: CacheSection;
  /** Position of the message that it is on or in; absent for a tool. */
  readonly message?: number;
  /** Position of the marked part in its message. */
  readonly part?: number;
  /** True for a marker on a tool call. */
  readonly isCall?: boolean;
  readonly cacheControl: CacheControl;
}

/** Gives an item its marker: the same, another one, or none. */
type Remark = (item: Markable, spot: Omit<Marker, 'item' | 'cacheControl'>) => CacheControl | undefined;

const isMarked = ({ cacheControl }: Markable): boolean => cacheControl !== undefined;

const hasMarkers = ({ tools, messages }: GenerationRequest): boolean =>
  tools.some(isMarked) ||
  messages.some(
    (message) =>
      isMarked(message) ||
      message.content.some(isMarked) ||
      (message.role === 'assistant' && message.toolCalls.some(isMarked)),
  );

/** All markers, in the order in which models read what they are on. */
export function findMarkers(request: GenerationRequest): readonly Marker[] {
  const found: Marker[] = [];
  remarkAll(request, (item, spot) => {
    const { cacheControl } = item;
    if (cacheControl) found.push({ item, ...spot, cacheControl });
    return cacheControl;
  });
  return found.toSorted((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section));
}

const foreign = 'The target does not support a cache marker at this position.';
const tooMany = 'The target supports fewer cache markers. The last ones are used.';
const tooShort = 'A longer ttl must not follow a shorter one.';
const otherLifetime = 'The target has other lifetimes. The next longer one is used, or the longest.';

function fitMarkers(
  request: GenerationRequest,
  found: readonly Marker[],
  takes: (marker: Marker) => boolean,
  { max, lifetimes = [] }: Caching,
): ReturnType<RequestRule> {
  const [allowed, refused] = split(found, takes);
  const kept = max > 0 ? allowed.slice(-max) : [];
  const lost = allowed.slice(0, allowed.length - kept.length);
  const fitted = fitLifetimes(kept, lifetimes);
  const longer = lengthen(
    kept.map((marker) => ({ ...marker, cacheControl: fitted.get(marker.item) ?? marker.cacheControl })),
  );
  const changes = [
    ...refused.map((marker) => change(marker, undefined, foreign)),
    ...lost.map((marker) => change(marker, undefined, tooMany)),
    ...kept.flatMap((marker) => {
      const [long, fit] = [longer.get(marker.item), fitted.get(marker.item)];
      if (long) return [change(marker, long, tooShort)];
      return fit ? [change(marker, fit, otherLifetime)] : [];
    }),
  ];
  if (changes.length === 0) return undefined;
  const gone = new Set([...refused, ...lost].map(({ item }) => item));
  const changed = remarkAll(request, (item) =>
    gone.has(item) ? undefined : (longer.get(item) ?? fitted.get(item) ?? item.cacheControl),
  );
  return { request: changed, changes };
}

/** The lifetimes of markers that name another one than the target has. An invalid one stays, for the provider to reject. */
function fitLifetimes(
  markers: readonly Marker[],
  lifetimes: readonly string[],
): ReadonlyMap<Markable, CacheControl> {
  const known = lifetimes.map((ttl) => ({ ttl, seconds: cacheSeconds({ type: 'ephemeral', ttl }) ?? 0 }));
  const fitted = new Map<Markable, CacheControl>();
  for (const { item, cacheControl } of markers) {
    const asked = cacheSeconds(cacheControl);
    const next = known.find(({ seconds }) => seconds >= (asked ?? 0)) ?? known.at(-1);
    if (asked !== undefined && next && next.seconds !== asked)
      fitted.set(item, { ...cacheControl, ttl: next.ttl });
  }
  return fitted;
}

/** The longer lifetimes of markers that come before one that lives longer. */
function lengthen(markers: readonly Marker[]): ReadonlyMap<Markable, CacheControl> {
  const longer = new Map<Markable, CacheControl>();
  let longest: CacheControl | undefined;
  for (const { item, cacheControl } of markers.toReversed()) {
    if (isLong(cacheControl)) longest = cacheControl;
    else if (longest) longer.set(item, longest);
  }
  return longer;
}

/** Longer than the five minutes that a marker means when it names no time. */
const isLong = (marker: CacheControl) => (cacheSeconds(marker) ?? 0) > 300;

function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

function change({ item, cacheControl }: Marker, after: CacheControl | undefined, reason: string): Change {
  const action = after ? 'override' : 'strip';
  return { param: pathOf(item, 'cacheControl'), action, before: cacheControl, after: after ?? null, reason };
}

const automatically = 'The gateway adds cache markers when the request has none.';

function mark(request: GenerationRequest, taken: readonly CacheSection[]): ReturnType<RequestRule> {
  const { messages, tools } = request;
  const start = startOf(messages);
  const system = messages.slice(0, start).findLastIndex(saysSomething);
  const ends = taken.includes('messages') ? turnEnds(messages).filter((index) => index >= start) : [];
  const wanted: readonly Markable[] = [
    ...(taken.includes('tools') ? tools.slice(-1) : []),
    ...messages.filter((_, index) => (taken.includes('system') && index === system) || ends.includes(index)),
  ];
  if (wanted.length === 0) return undefined;
  const marked = remarkAll(request, (item) => (wanted.includes(item) ? { type: 'ephemeral' } : undefined));
  const after = wanted.map((item) => pathOf(item));
  const change: Change = added('cache_control', after, automatically);
  return { request: marked, changes: [change] };
}

/**
 * The last message, so that the next turn finds all of this one, and the one that was last in the request before: a
 * cache is looked for only a few blocks back from a marker. None in the first turn, which may well be the only one:
 * writing a cache costs more than reading plainly.
 */
function turnEnds(messages: readonly Message[]): readonly number[] {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant');
  if (answer < 0) return [];
  const ends = [answer - 1, messages.length - 1];
  return ends.filter((index) => {
    const message = messages[index];
    return message && message.role !== 'assistant' && (message.role === 'tool' || saysSomething(message));
  });
}

const saysSomething = ({ content }: Message) =>
  content.some((part) => part.type !== 'text' || part.text.trim() !== '');

function remarkAll(request: GenerationRequest, remark: Remark): GenerationRequest {
  const start = startOf(request.messages);
  return {
    ...request,
    tools: mapKept(request.tools, (tool) => withMarker(tool, remark(tool, { section: 'tools' }))),
    messages: mapKept(request.messages, (message, index) =>
      remarkMessage(message, { section: index < start ? 'system' : 'messages', message: index }, remark),
    ),
  };
}

function remarkMessage(message: Message, spot: Parameters<Remark>[1], remark: Remark): Message {
  const parts = <Part extends TextPart | ContentPart>(content: readonly Part[]) =>
    mapKept(content, (item, part) => withMarker(item, remark(item, { ...spot, part })));
  if (message.role === 'assistant') {
    const content = parts(message.content);
    const toolCalls = mapKept(message.toolCalls, (call) =>
      withMarker(call, remark(call, { ...spot, isCall: true })),
    );
    const isSame = content === message.content && toolCalls === message.toolCalls;
    return withMarker(isSame ? message : { ...message, content, toolCalls }, remark(message, spot));
  }
  const remarked =
    message.role === 'system'
      ? withContent(message, parts(message.content))
      : withContent(message, parts(message.content));
  return withMarker(remarked, remark(message, spot));
}

const withContent = <One extends Message>(message: One, content: One['content']): One =>
  content === message.content ? message : { ...message, content };

function withMarker<Item extends { readonly cacheControl?: CacheControl }>(
  item: Item,
  cacheControl: CacheControl | undefined,
): Item {
  if (cacheControl === item.cacheControl) return item;
  if (cacheControl) return { ...item, cacheControl };
  const unmarked: { -readonly [Key in keyof Item]: Item[Key] } = { ...item };
  delete unmarked.cacheControl;
  return unmarked;
}
