/**
 * Prompt caching: which of a caller's markers a target takes, and which are set where the caller set none.
 *
 * Markers may move from turn to turn: they say what shall be kept, and are no part of what a model's signed reasoning
 * is bound to.
 */
import { cacheSeconds } from '../core/generation/cache-lifetime.ts';
import { startOf } from '../core/generation/conversation.ts';
import type {
  CacheControl,
  ContentPart,
  GenerationRequest,
  Message,
  TextPart,
} from '../core/generation/request.ts';
import type { Target } from '../core/model.ts';
import type { Change, RequestRule } from './rule.ts';

/** Where a marker may stand, in the order in which models read it. */
export type CachePlace = 'tools' | 'system' | 'messages';

export interface Caching {
  /** Where the target takes markers. */
  readonly places: (target: Target) => readonly CachePlace[];
  /** How many it takes; of more, the last count. */
  readonly most: number;
  /** Whether markers are set where the caller set none. */
  readonly automatic: boolean;
}

/** Markers as the target takes them. */
export function cacheMarkers({ places, most, automatic }: Caching): RequestRule {
  return (request, target) => {
    const taken = places(target);
    const found = findMarkers(request);
    if (found.length > 0) return fitMarkers(request, found, taken, most);
    return automatic ? mark(request, taken) : undefined;
  };
}

/** For providers that take no markers. */
export const stripCacheMarkers: RequestRule = cacheMarkers({
  places: () => [],
  most: 0,
  automatic: false,
});

/** A marker and where it stands. */
export interface Marker {
  /** Path of what is marked. */
  readonly path: string;
  readonly place: CachePlace;
  readonly cacheControl: CacheControl;
}

/** Gives each thing that can be marked its marker: the same, another one, or none. */
type Remark = (path: string, before: CacheControl | undefined, place: CachePlace) => CacheControl | undefined;

/** All markers, in the order in which models read what they stand on. */
export function findMarkers(request: GenerationRequest): readonly Marker[] {
  const found: Marker[] = [];
  remarkAll(request, (path, cacheControl, place) => {
    if (cacheControl) found.push({ path, place, cacheControl });
    return cacheControl;
  });
  const rank = (marker: Marker) => ['tools', 'system', 'messages'].indexOf(marker.place);
  return found.toSorted((one, other) => rank(one) - rank(other));
}

const foreign = 'The target takes no caching marker here.';
const tooMany = 'The target takes fewer caching markers; the last ones count.';
const tooShort = 'A longer lifetime may not come after a shorter one.';

function fitMarkers(
  request: GenerationRequest,
  found: readonly Marker[],
  taken: readonly CachePlace[],
  most: number,
): ReturnType<RequestRule> {
  const [allowed, refused] = split(found, ({ place }) => taken.includes(place));
  const kept = most > 0 ? allowed.slice(-most) : [];
  const lost = allowed.slice(0, allowed.length - kept.length);
  const longer = lengthen(kept);
  const changes = [
    ...refused.map((marker) => change(marker, undefined, foreign)),
    ...lost.map((marker) => change(marker, undefined, tooMany)),
    ...kept.flatMap((marker) => {
      const after = longer.get(marker.path);
      return after ? [change(marker, after, tooShort)] : [];
    }),
  ];
  if (changes.length === 0) return undefined;
  const gone = new Set([...refused, ...lost].map(({ path }) => path));
  const changed = remarkAll(request, (path, before) =>
    gone.has(path) ? undefined : (longer.get(path) ?? before),
  );
  return { request: changed, changes };
}

/** What a marker needs whose prefix is part of one that is to live longer. */
function lengthen(markers: readonly Marker[]): ReadonlyMap<string, CacheControl> {
  const longer = new Map<string, CacheControl>();
  let longest: CacheControl | undefined;
  for (const { path, cacheControl } of markers.toReversed()) {
    if (isLong(cacheControl)) longest = cacheControl;
    else if (longest) longer.set(path, longest);
  }
  return longer;
}

/** Longer than the five minutes that a marker means when it names no time. */
const isLong = (marker: CacheControl) => (cacheSeconds(marker) ?? 0) > 300;

function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

function change({ path, cacheControl }: Marker, after: CacheControl | undefined, reason: string): Change {
  const action = after ? 'override' : 'strip';
  return { param: `${path}.cache_control`, action, before: cacheControl, after: after ?? null, reason };
}

const unasked = 'What comes before a marker is kept for the next request; the caller set none.';

function mark(request: GenerationRequest, taken: readonly CachePlace[]): ReturnType<RequestRule> {
  const { messages, tools } = request;
  const start = startOf(messages);
  const system = messages.slice(0, start).findLastIndex(saysSomething);
  const wanted = [
    ...(taken.includes('tools') && tools.length > 0 ? [`tools.${tools.length - 1}`] : []),
    ...(taken.includes('system') && system >= 0 ? [`messages.${system}`] : []),
    ...(taken.includes('messages') ? turnEnds(messages).filter((index) => index >= start) : []).map(
      (index) => `messages.${index}`,
    ),
  ];
  if (wanted.length === 0) return undefined;
  const marked = remarkAll(request, (path) => (wanted.includes(path) ? { type: 'ephemeral' } : undefined));
  const record = { param: 'cache_control', action: 'add', before: null, after: wanted } as const;
  return { request: marked, changes: [{ ...record, reason: unasked }] };
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
    tools: request.tools.map((tool, index) => remarkOne(tool, `tools.${index}`, 'tools', remark)),
    messages: request.messages.map((message, index) =>
      remarkMessage(message, `messages.${index}`, index < start ? 'system' : 'messages', remark),
    ),
  };
}

function remarkMessage(message: Message, path: string, place: CachePlace, remark: Remark): Message {
  const parts = <Part extends TextPart | ContentPart>(content: readonly Part[]) =>
    content.map((part, index) => remarkOne(part, `${path}.content.${index}`, place, remark));
  const content =
    message.role === 'user' || message.role === 'tool'
      ? { ...message, content: parts(message.content) }
      : { ...message, content: parts(message.content) };
  return remarkOne(content, path, place, remark);
}

function remarkOne<Item extends { readonly cacheControl?: CacheControl }>(
  item: Item,
  path: string,
  place: CachePlace,
  remark: Remark,
): Item {
  const cacheControl = remark(path, item.cacheControl, place);
  if (cacheControl === item.cacheControl) return item;
  if (cacheControl) return { ...item, cacheControl };
  const unmarked: { -readonly [Key in keyof Item]: Item[Key] } = { ...item };
  delete unmarked.cacheControl;
  return unmarked;
}
