/** Images and documents by URL, fetched for a provider that does not fetch them itself. */
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import type { FetchMedia } from '../core/ports/media.ts';
import type { Generation } from '../providers/provider.ts';

/** The request with such media as `data:` URLs. Rejects with GatewayError that names the field of one that cannot be had. */
export async function withFetchedMedia(
  request: GenerationRequest,
  { takesImageUrls, takesFileUrls = false }: Generation,
  fetchMedia: FetchMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const isFetched = { text: false, image: !takesImageUrls, file: !takesFileUrls };
  const fetched = async (part: ContentPart): Promise<ContentPart> => {
    if (part.type === 'text' || !isFetched[part.type] || !/^https?:/i.test(part.url)) return part;
    const options = { kind: part.type, param: pathOf(part, 'url'), signal };
    const { mediaType, base64 } = await fetchMedia(part.url, options);
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  };
  const messages = request.messages.map(async (message): Promise<Message> => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    return { ...message, content: await Promise.all(message.content.map(fetched)) };
  });
  return { ...request, messages: await Promise.all(messages) };
}
