/** Reads the content of chat messages: always a list of parts. */

import { source, wholeSource } from '../../../core/generation/original/source.ts';
import type { CacheControl, ContentPart, TextPart } from '../../../core/generation/request.ts';
import { readFile } from '../../file-schema.ts';
import type { ChatMessage } from './message-schema.ts';
import type { MixedPart, TextPartBody } from './part-schema.ts';
import { partSource } from './sources.ts';

/** A cache marker of a message, a part or a tool. */
export function readCacheControl({ type, ttl }: NonNullable<ChatMessage['cache_control']>): CacheControl {
  return ttl == null ? { type } : { type, ttl };
}

/** `path`: that of the message. */
export function readTexts(content: string | readonly TextPartBody[], path: string): readonly TextPart[] {
  if (typeof content === 'string') return [plainText(content, path)];
  return content.map((part, position) => readText(part, path, position));
}

export const plainText = (text: string, path: string): TextPart => ({
  type: 'text',
  text,
  [source]: wholeSource(`${path}.content`),
});

export function readText({ type, text, ...others }: TextPartBody, path: string, position: number): TextPart {
  return { type, text, ...markerOf(others), [source]: partSource(`${path}.content`, position) };
}

export function readContent(content: string | readonly MixedPart[], path: string): readonly ContentPart[] {
  if (typeof content === 'string') return [plainText(content, path)];
  return content.map((part, position) => readPart(part, path, position));
}

function readPart(part: MixedPart, path: string, position: number): ContentPart {
  const content = `${path}.content`;
  switch (part.type) {
    case 'text':
      return readText(part, path, position);
    case 'image_url': {
      const { url, detail } = part.image_url;
      const from = partSource(content, position, 'image_url');
      return { type: 'image', url, ...(detail && { detail }), ...markerOf(part), [source]: from };
    }
    case 'input_audio': {
      const { data, format } = part.input_audio;
      const url = `data:audio/${format};base64,${data}`;
      return { type: 'audio', url, ...markerOf(part), [source]: partSource(content, position, part.type) };
    }
    case 'video_url': {
      const { url } = part.video_url;
      return { type: 'video', url, ...markerOf(part), [source]: partSource(content, position, part.type) };
    }
    case 'file': {
      const { field, ...file } = readFile(part.file);
      return { type: 'file', ...file, ...markerOf(part), [source]: partSource(content, position, field) };
    }
  }
}

function markerOf({ cache_control }: Pick<MixedPart, 'cache_control'>) {
  return cache_control ? { cacheControl: readCacheControl(cache_control) } : {};
}
