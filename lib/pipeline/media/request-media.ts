/**
 * What the links of one request lead to. Each link is fetched once, for all parts that have it and for all targets that are
 * tried, within limits that hold for the request as a whole.
 */
import { followSignal } from '../../async/follow-signal.ts';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { kindOfFile } from '../../core/formats/media-type.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { ContentPart, GenerationRequest, Message, TextPart } from '../../core/generation/request.ts';
import type { FetchedMedia, FetchMedia, MediaBudget, MediaBytes, MediaKind } from '../../core/ports/media.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';
import type { Generation } from '../../providers/provider.ts';
import { base64Length, base64Of } from '../../transport/media-bytes.ts';

/** Distinct links of a request that the gateway fetches. As many images as a message may have at Bedrock. */
const maxLinks = 20;

/** How many links of a request are fetched at the same time. */
const maxFetchedAtOnce = 4;

/** HTTP requests for the links of one request, redirects included: two for each, as Wikimedia's links to files have. */
const maxMediaRequests = 3 * maxLinks;

/** Bytes of all media of a request together: what its links lead to, and what it has inline. */
export const maxMediaBytes = 20 * 1024 * 1024;

/** A part that may have a link. */
export type LinkedPart = Exclude<ContentPart, { readonly type: 'text' | 'audio' }>;

/** What a link is in, with the media that it has inline. */
type Linking = Pick<GenerationRequest, 'messages'>;

interface Found extends FetchedMedia {
  /** A `data:` URL; a short text may stand for its base64: `lib/transport/media-bytes.ts`. */
  readonly url: string;
  /** Its length with the base64 itself. */
  readonly characters: number;
}

/** Lives as long as a target is looked for: what it holds is large. */
export type RequestMedia = ReturnType<typeof createRequestMedia>;

/** Fetches nothing yet. */
export function createRequestMedia(fetchMedia: FetchMedia, memory?: RequestMemory) {
  const found = new Map<string, Found>();
  const held = new Map<string, MediaBytes>();
  let budget: MediaBudget | undefined;
  let failure: unknown;
  return {
    /** Fetches what is not there yet. Rejects with GatewayError that names the field of a link that cannot be had. */
    async load(links: readonly LinkedPart[], request: Linking, signal: AbortSignal) {
      const missing = distinct(links).filter((part) => !found.has(keyOf(part)));
      if (missing.length === 0) return;
      // The others were given up with the one that failed.
      if (failure) throw failure;
      budget ??= {
        left: maxMediaBytes - inlineBytes(request),
        requests: maxMediaRequests,
        ...(memory && { memory }),
      };
      const options = { budget, signal: followSignal(signal) };
      const one = async (part: LinkedPart) => {
        const media = await fetchPart(fetchMedia, part, options);
        const [head, base64] = [`data:${media.mediaType};base64,`, base64Of(media)];
        held.set(base64, media);
        found.set(keyOf(part), {
          ...media,
          url: head + base64,
          characters: head.length + base64Length(media.length),
        });
      };
      await mapConcurrently(missing, maxFetchedAtOnce, one).catch((thrown) => {
        failure = thrown;
        throw thrown;
      });
    },
    /** The content of a part's link, the same for all parts with this link. */
    of: (part: LinkedPart) => found.get(keyOf(part)),
    held,
  };
}

/** Gives up the others of a request if it fails. */
async function fetchPart(
  fetchMedia: FetchMedia,
  part: LinkedPart,
  { budget, signal: ending }: { readonly budget: MediaBudget; readonly signal: AbortController },
): Promise<FetchedMedia> {
  const { signal } = ending;
  const options = { kind: kindOf(part), param: pathOf(part, 'url'), signal, budget };
  try {
    return await fetchMedia(part.url, options);
  } catch (thrown) {
    ending.abort(thrown);
    throw thrown;
  }
}

/**
 * The parts whose links the gateway must fetch for a provider. Throws GatewayError `invalid_request` that names the first one
 * too many: before anything is fetched.
 */
export function linksToFetch({ messages }: GenerationRequest, generation: Generation): readonly LinkedPart[] {
  const links: LinkedPart[] = [];
  for (const { content } of messages as readonly Message[]) {
    for (const part of content as readonly ContentPart[]) if (isFetched(part, generation)) links.push(part);
  }
  const excess = links.length > maxLinks ? distinct(links)[maxLinks] : undefined;
  if (!excess) return links;
  const message = `A request may have at most ${maxLinks} different URLs of images, files and videos for a provider that does not fetch them itself.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(excess, 'url') });
}

function isFetched(part: ContentPart, generation: Generation): part is LinkedPart {
  if (part.type === 'text' || part.type === 'audio' || !/^https?:/i.test(part.url)) return false;
  return (part.type === 'file' && part.asText === true) || !takesUrl(generation, part);
}

function takesUrl(
  { takesImageUrls, takesFileUrls = false, takesVideoUrl }: Generation,
  { type, url }: LinkedPart,
): boolean {
  if (type === 'video') return takesVideoUrl?.(url) === true;
  return type === 'image' ? takesImageUrls : takesFileUrls;
}

const kindOf = (part: LinkedPart): MediaKind =>
  part.type === 'file' ? kindOfFile(part.mediaType) : part.type;

/** What is asked for and accepted differs by kind: one URL as an image and as a file is two links. */
const keyOf = (part: LinkedPart) => `${kindOf(part)} ${part.url}`;

/** The first part with each link. */
function distinct(links: readonly LinkedPart[]): readonly LinkedPart[] {
  const seen = new Set<string>();
  return links.filter((part) => seen.size < seen.add(keyOf(part)).size);
}

/** About how many bytes the base64 of a request stands for. */
function inlineBytes({ messages }: Linking): number {
  let characters = 0;
  for (const { content } of messages as readonly Message[]) {
    for (const part of content as readonly ContentPart[]) if (isInline(part)) characters += part.url.length;
  }
  return Math.ceil(characters * (3 / 4));
}

/** Whether a part has its media with it. */
export const isInline = (part: ContentPart): part is Exclude<ContentPart, TextPart> =>
  part.type !== 'text' && /^data:/i.test(part.url);
