/** Images, documents and videos by URL, fetched for a provider that does not fetch them itself. */
import { mapConcurrently } from '../async/map-concurrently.ts';
import { GatewayError } from '../core/errors.ts';
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import { kindOfFile } from '../core/media-type.ts';
import type { FetchedMedia, FetchMedia } from '../core/ports/media.ts';
import { textOfFile } from '../normalization/files.ts';
import type { Generation } from '../providers/provider.ts';

/** How many links of a request are fetched at a time. */
const atATime = 8;

const megabyte = 1024 * 1024;

/** What the links of a request may lead to together, in bytes. */
export const maxFetched = 48 * megabyte;

/** The request with such media as `data:` URLs. Rejects with GatewayError that names the field of one that cannot be had. */
export async function withFetchedMedia(
  request: GenerationRequest,
  generation: Generation,
  fetchMedia: FetchMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const parts = request.messages.flatMap(({ content }: Message): readonly ContentPart[] => content);
  const wanted = parts.flatMap((part) => (isFetched(part, generation) ? [part] : []));
  if (wanted.length === 0) return request;
  let fetched = 0;
  const ready = await mapConcurrently(wanted, atATime, async (part) => {
    const kind = part.type === 'file' ? kindOfFile(part.mediaType) : part.type;
    const media = await fetchMedia(part.url, { kind, param: pathOf(part, 'url'), signal });
    fetched += media.base64.length * (3 / 4);
    if (fetched > maxFetched) throw tooMuch(part);
    return withContent(part, media);
  });
  const contents = new Map<ContentPart, ContentPart>(
    wanted.map((part, index) => [part, ready[index] ?? part]),
  );
  const messages = request.messages.map((message): Message => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    return { ...message, content: message.content.map((part) => contents.get(part) ?? part) };
  });
  return { ...request, messages };
}

type LinkedPart = Exclude<ContentPart, { readonly type: 'text' | 'audio' }>;

function isFetched(part: ContentPart, generation: Generation): part is LinkedPart {
  if (part.type === 'text' || part.type === 'audio' || !/^https?:/i.test(part.url)) return false;
  return (part.type === 'file' && part.asText) || !takesUrl(generation, part);
}

function takesUrl(
  { takesImageUrls, takesFileUrls = false, takesVideoUrl }: Generation,
  { type, url }: LinkedPart,
): boolean {
  if (type === 'video') return takesVideoUrl?.(url) === true;
  return type === 'image' ? takesImageUrls : takesFileUrls;
}

function withContent(part: LinkedPart, { mediaType, base64 }: FetchedMedia): ContentPart {
  if (part.type === 'file' && part.asText) return textOfFile(part, Buffer.from(base64, 'base64'));
  return { ...part, url: `data:${mediaType};base64,${base64}` };
}

function tooMuch(part: LinkedPart): GatewayError {
  const message = `The URLs of this request lead to more than ${maxFetched / megabyte} MB together.`;
  return new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
}
