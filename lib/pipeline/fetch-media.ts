/** Images and documents by URL, fetched for a provider that does not fetch them itself. */
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import type { FetchMedia } from '../core/ports.ts';
import { mediaParam } from '../protocols/inline-media.ts';
import type { Generation } from '../providers/provider.ts';

/** The request with such media as `data:` URLs. Rejects with GatewayError that names the field of one that cannot be had. */
export async function withFetchedMedia(
  request: GenerationRequest,
  { takesImageUrls, takesFileUrls = false }: Generation,
  fetchMedia: FetchMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const isFetched = { text: false, image: !takesImageUrls, file: !takesFileUrls };
  const fetched = async (part: ContentPart, message: number, index: number): Promise<ContentPart> => {
    if (part.type === 'text' || !isFetched[part.type] || !/^https?:/i.test(part.url)) return part;
    const param = mediaParam(part, message, index);
    const { mediaType, base64 } = await fetchMedia(part.url, { kind: part.type, param, signal });
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  };
  const messages = request.messages.map(async (message, position): Promise<Message> => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    const content = message.content.map((part, index) => fetched(part, position, index));
    return { ...message, content: await Promise.all(content) };
  });
  return { ...request, messages: await Promise.all(messages) };
}
