/** Images, documents and videos by URL, fetched for a provider that does not fetch them itself. */
import { GatewayError } from '../../core/errors/errors.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { ContentPart, GenerationRequest, Message } from '../../core/generation/request.ts';
import { textOfFile } from '../../normalization/conversation/files.ts';
import type { Generation } from '../../providers/provider.ts';
import {
  isInline,
  type LinkedPart,
  linksToFetch,
  maxMediaBytes,
  type RequestMedia,
} from './request-media.ts';

/** Characters of all media in a body for a provider: base64 has four for three bytes. */
const maxSentMedia = Math.ceil(maxMediaBytes / 3) * 4;

/** The request with such media as `data:` URLs. Rejects with GatewayError that names the field of one that cannot be had. */
export async function withFetchedMedia(
  request: GenerationRequest,
  generation: Generation,
  media: RequestMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const links = linksToFetch(request, generation);
  if (links.length === 0) return request;
  await media.load(links, request, signal);
  checkSize(request, generation, media);
  const contents = new Map<ContentPart, ContentPart>(links.map((part) => [part, withContent(part, media)]));
  const messages = request.messages.map((message): Message => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    return { ...message, content: message.content.map((part) => contents.get(part) ?? part) };
  });
  return { ...request, messages };
}

function withContent(part: LinkedPart, media: RequestMedia): ContentPart {
  const { url, blocks } = media.of(part) ?? { url: part.url, blocks: [] };
  return part.type === 'file' && part.asText ? textOfFile(part, Buffer.concat(blocks)) : { ...part, url };
}

const megabyte = 1024 * 1024;

/** Media as they are sent: what many parts link to is sent as often. Before any of them is written into the body. */
function checkSize(
  { messages }: GenerationRequest,
  { maxRequestBytes = Number.POSITIVE_INFINITY }: Generation,
  media: RequestMedia,
): void {
  const limit = Math.min(maxSentMedia, maxRequestBytes);
  let characters = 0;
  for (const { content } of messages as readonly Message[]) {
    for (const part of content as readonly ContentPart[]) {
      if (part.type === 'text') continue;
      if (part.type === 'audio' || isInline(part)) characters += part.url.length;
      else characters += media.of(part)?.characters ?? 0;
      if (characters <= limit) continue;
      const message = `The images and files of this request, as the provider gets them, are larger than ${(limit / megabyte).toFixed(1)} MB.`;
      throw new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
    }
  }
}
