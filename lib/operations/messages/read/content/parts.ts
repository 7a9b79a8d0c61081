/** What blocks become: texts and images, with their markers and where the caller wrote them. */

import { source } from '../../../../core/generation/original/source.ts';
import type { CacheControl, ContentPart, TextPart } from '../../../../core/generation/request.ts';
import type { CacheMarker } from '../history/open-variants.ts';
import { storedFile } from '../history/stored-references.ts';
import { type Notes, refuse } from '../notes.ts';
import type { ImageBlock, TextBlock } from './block-schema.ts';
import { mediaSource, partSource } from './sources.ts';

/** `path`: that of the text. */
export function plainText(text: string, path: string): TextPart {
  return { type: 'text', text, [source]: partSource(path) };
}

export function readText(block: TextBlock, path: string): TextPart {
  return { ...plainText(block.text, path), ...markerOf(block) };
}

/** The marker of a block or tool; empty if it has none. */
export function markerOf({ cache_control: marker }: { readonly cache_control?: CacheMarker }): {
  readonly cacheControl?: CacheControl;
} {
  if (!marker) return {};
  const { type, ttl } = marker;
  return { cacheControl: ttl == null ? { type } : { type, ttl } };
}

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function readImage(block: ImageBlock, path: string, notes: Notes): readonly ContentPart[] {
  const url = readUrl(block.source, path, notes);
  if (url === undefined) return [];
  return [{ type: 'image', url, ...markerOf(block), [source]: mediaSource(path, isLink(block.source)) }];
}

interface GivenSource {
  readonly type: string;
  readonly url?: unknown;
  readonly media_type?: unknown;
  readonly data?: unknown;
}

/** `https:` or `data:`; undefined for a source that no other protocol has. Throws GatewayError as `readImage`. */
export function readUrl(from: GivenSource, path: string, notes: Notes): string | undefined {
  const { type, url, media_type: mediaType, data } = from;
  if (type === 'file') throw storedFile(path);
  if (type === 'url') return `${url}`;
  if (type === 'base64') return `data:${mediaType};base64,${data}`;
  refuse(notes, `${path}.source.type`, 'is a source that only Anthropic has');
  return undefined;
}

export const isLink = ({ type }: GivenSource): boolean => type === 'url';

/** A text as the value of an attribute. */
export const quoted = (text: string): string => text.replaceAll(/["<>\r\n]/g, '_');
