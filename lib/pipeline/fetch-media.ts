/** Images, documents and videos by URL, fetched for a provider that does not fetch them itself. */
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import { kindOfFile } from '../core/media-type.ts';
import type { FetchMedia } from '../core/ports/media.ts';
import { textOfFile } from '../normalization/files.ts';
import type { Generation } from '../providers/provider.ts';

/** The request with such media as `data:` URLs. Rejects with GatewayError that names the field of one that cannot be had. */
export async function withFetchedMedia(
  request: GenerationRequest,
  generation: Generation,
  fetchMedia: FetchMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const fetched = async (part: ContentPart): Promise<ContentPart> => {
    if (part.type === 'text' || part.type === 'audio' || !isLink(part)) return part;
    const asText = part.type === 'file' && part.asText === true;
    if (takesUrl(generation, part) && !asText) return part;
    const kind = part.type === 'file' ? kindOfFile(part.mediaType) : part.type;
    const { mediaType, base64 } = await fetchMedia(part.url, { kind, param: pathOf(part, 'url'), signal });
    if (asText) return textOfFile(part, Buffer.from(base64, 'base64'));
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  };
  const messages = request.messages.map(async (message): Promise<Message> => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    return { ...message, content: await Promise.all(message.content.map(fetched)) };
  });
  return { ...request, messages: await Promise.all(messages) };
}

function takesUrl(
  { takesImageUrls, takesFileUrls = false, takesVideoUrl }: Generation,
  { type, url }: LinkedPart,
): boolean {
  if (type === 'video') return takesVideoUrl?.(url) === true;
  return type === 'image' ? takesImageUrls : takesFileUrls;
}

type LinkedPart = Exclude<ContentPart, { readonly type: 'text' | 'audio' }>;

const isLink = ({ url }: { readonly url: string }): boolean => /^https?:/i.test(url);
