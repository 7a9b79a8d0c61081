/**
 * Reads what is in a `data:` URL: its bytes and their actual type.
 */
import { GatewayError } from '../core/errors/errors.ts';
import { kindOfFile, knownMedia, sniffMediaType } from '../core/formats/media-type.ts';
import { pathOf } from '../core/generation/original/source.ts';
import type { AudioPart, ContentPart, FilePart, ImagePart, TextPart } from '../core/generation/request.ts';
import type { MediaKind } from '../core/ports/media.ts';

/** A part of a message that is not text. */
export type MediaPart = Exclude<ContentPart, TextPart>;

/** `mediaType`: for an office document only its container, unless its sender names it. */
interface InlineMedia {
  readonly mediaType: string;
  readonly base64: string;
}

/** Enough base64 characters to detect the type from the first bytes. */
const headLength = 64;

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/**
 * The content of a part's `data:` URL. The type is detected from the first bytes, because the declared one is often wrong;
 * that of audio is the one that its sender gave.
 *
 * @throws GatewayError `invalid_request` with `param` if it is not base64 of a supported type.
 */
export function readDataUrl(part: MediaPart): InlineMedia {
  const { url } = part;
  const comma = url.indexOf(',');
  const head = /^data:([^;,]*)(?:;[^,]*)?;base64$/i.exec(url.slice(0, Math.max(0, comma)));
  const base64 = head ? url.slice(comma + 1) : '';
  if (part.type === 'audio') return { mediaType: head?.[1] ?? '', base64 };
  const kind = kindOf(part);
  const found = sniffMediaType(Buffer.from(base64.slice(0, headLength), 'base64'), kind);
  if (found) return { mediaType: part.type === 'file' ? (part.mediaType ?? found) : found, base64 };
  const message = `The data URL does not contain a base64-encoded ${knownMedia[kind]}.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(part, 'url') });
}

function kindOf(part: Exclude<MediaPart, AudioPart>): MediaKind {
  return part.type === 'file' ? kindOfFile(part.mediaType) : part.type;
}

/** The part, for protocols without audio and film. Throws GatewayError `invalid_request` for these. */
export function onlySeen(part: MediaPart): ImagePart | FilePart {
  if (part.type === 'image' || part.type === 'file') return part;
  const message = `The provider of this model does not accept ${part.type} input.`;
  throw new GatewayError('invalid_request', message, { param: pathOf(part), code: 'unsupported_modality' });
}
