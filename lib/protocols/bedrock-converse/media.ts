/**
 * Images and documents of the Converse API: always bytes, and every document with a unique name.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { officeEnding } from '../../core/formats/file-type.ts';
import { pathOf } from '../../core/generation/original/source.ts';
import type { ContentPart, FilePart, Message } from '../../core/generation/request.ts';
import { isDataUrl, type MediaPart, onlySeen, readDataUrl } from '../inline-media.ts';
import type { Media, SentBlock } from './wire.ts';

export type DocumentNames = ReadonlyMap<ContentPart, string>;

/**
 * The names of the documents of a conversation. A name depends only on the documents before it, so that a longer
 * conversation starts with the same names.
 */
export function nameDocuments(messages: readonly Message[]): DocumentNames {
  const names = new Map<ContentPart, string>();
  const taken = new Set<string>();
  for (const part of messages.flatMap(({ content }): readonly ContentPart[] => content)) {
    if (part.type !== 'file' || names.has(part)) continue;
    const wanted = documentName(part);
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted} (${count})`;
    taken.add(name);
    names.set(part, name);
  }
  return names;
}

/** Letters, digits, hyphens, brackets and single spaces. The file extension is removed. */
function documentName({ filename = '' }: FilePart): string {
  const stem = filename.replace(/\.[a-z]{1,5}$/i, '');
  const name = stem
    .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
    .slice(0, 180)
    .trim();
  return name || 'document';
}

/** @throws GatewayError `invalid_request` for links, and for bytes of an unsupported type. */
export function encodeMedia(given: MediaPart, names: DocumentNames): SentBlock {
  const part = onlySeen(given);
  if (!isDataUrl(part.url)) {
    const noun = part.type === 'file' ? 'document' : 'image';
    const message = `This provider does not accept URLs. Send the ${noun} itself as a data URL.`;
    throw new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
  }
  const { mediaType, base64 } = readDataUrl(part);
  const format = officeEnding(mediaType) ?? mediaType.replace(/^.*\//, '');
  const content: Media = { format, source: { bytes: base64 } };
  if (part.type === 'image') return { image: content };
  return { document: { name: names.get(part) ?? documentName(part), ...content } satisfies Media };
}
