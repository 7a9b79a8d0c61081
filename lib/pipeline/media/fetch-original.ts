/** Images and documents by URL in an original, fetched for a place that does not fetch them itself. */

import { isJsonObject, type JsonObject } from '../../core/formats/json-object.ts';
import type { OriginalRequest } from '../../core/generation/original/original.ts';
import { blocksOf, mapBlocks } from '../../core/generation/original/original-blocks.ts';
import { source, wholeSource } from '../../core/generation/original/source.ts';
import type { ContentPart, GenerationRequest } from '../../core/generation/request.ts';
import { type Change, type Normalized, overridden } from '../../normalization/rule.ts';
import type { Generation } from '../../providers/provider.ts';
import { withFetchedMedia } from './fetch-media.ts';
import type { RequestMedia } from './request-media.ts';

type MediaPart = Extract<ContentPart, { readonly type: 'image' | 'file' }>;

const partTypes: Readonly<Record<string, MediaPart['type']>> = { image: 'image', document: 'file' };

/** The request with such media inline in its original, on record. Rejects as `withFetchedMedia`. */
export async function withFetchedOriginal(
  request: GenerationRequest,
  original: OriginalRequest,
  generation: Generation,
  media: RequestMedia,
  signal: AbortSignal,
): Promise<Normalized> {
  const parts = new Map<string, MediaPart>();
  for (const { block, path } of blocksOf(original.body)) {
    const part = partOf(block, path);
    if (part) parts.set(path, part);
  }
  const found = { ...request, messages: [{ role: 'user', content: [...parts.values()] } as const] };
  const ready = await withFetchedMedia(found, generation, media, signal);
  if (ready === found) return { request, changes: [] };
  const fetched = new Map(ready.messages[0]?.content.map((part, index) => [[...parts.keys()][index], part]));
  const changes: Change[] = [];
  const body = mapBlocks(original.body, (block, path) => {
    const part = fetched.get(path);
    if (part === undefined || part === parts.get(path) || part.type === 'text') return block;
    changes.push(overridden(`${path}.source`, 'url', 'base64', reason));
    return { ...block, source: sourceOf(part.url) };
  });
  return { request: { ...request, original: { ...original, body } }, changes };
}

const reason = 'The provider does not fetch URLs: the gateway did.';

/** The part that a block is in a translated request; undefined for one without media. */
function partOf(block: JsonObject, path: string): MediaPart | undefined {
  const type = partTypes[String(block.type)];
  const from = block.source;
  if (type === undefined || !isJsonObject(from)) return undefined;
  const url = from.type === 'base64' ? `data:${from.media_type};base64,${from.data}` : from.url;
  return typeof url === 'string' ? { type, url, [source]: wholeSource(`${path}.source.url`) } : undefined;
}

function sourceOf(dataUrl: string): JsonObject {
  const comma = dataUrl.indexOf(',');
  const media_type = dataUrl.slice('data:'.length, dataUrl.indexOf(';'));
  return { type: 'base64', media_type, data: dataUrl.slice(comma + 1) };
}
