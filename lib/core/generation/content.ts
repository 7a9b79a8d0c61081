/** What messages of an internal request hold: texts, images, files, recordings and films. */
import { pdfType } from '../formats/file-type.ts';
import type { Sourced } from './original/source.ts';

/** A prompt cache marker of the caller: caches everything up to and with the item that it is on. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** The lifetime, as a number with `s`, `m` or `h`; absent: the provider's default. */
  readonly ttl?: string;
}

export interface TextPart extends Sourced {
  readonly type: 'text';
  readonly text: string;
  readonly cacheControl?: CacheControl;
}

/** An image for the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface ImagePart extends Sourced {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
  readonly cacheControl?: CacheControl;
}

/** A document for the model. `url` is `https:`, or `data:<media type>;base64,<bytes>`. */
export interface FilePart extends Sourced {
  readonly type: 'file';
  readonly url: string;
  /** What the caller says it is; absent: a PDF. */
  readonly mediaType?: string;
  /** Set where the target takes only the text of the file, which the gateway then fetches from `url`. */
  readonly asText?: true;
  readonly filename?: string;
  readonly cacheControl?: CacheControl;
}

/** A recording for the model. `url` is `data:audio/<format>;base64,<bytes>`. */
export interface AudioPart extends Sourced {
  readonly type: 'audio';
  readonly url: string;
  readonly cacheControl?: CacheControl;
}

/** A film for the model, with its audio. `url` is `https:`, or `data:video/<format>;base64,<bytes>`. */
interface VideoPart extends Sourced {
  readonly type: 'video';
  readonly url: string;
  readonly cacheControl?: CacheControl;
}

export type ContentPart = TextPart | ImagePart | FilePart | AudioPart | VideoPart;

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** In seconds; undefined if the marker has no lifetime, or an invalid one. */
export function cacheSeconds({ ttl }: CacheControl): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(ttl ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount) * (secondsOf[unit] ?? 1);
}

/** Undefined for what every model takes. Files that are no PDF need none: most become text, and a rule refuses the others. */
export function modalityOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return undefined;
  if (part.type !== 'file') return part.type;
  return (part.mediaType ?? pdfType) === pdfType ? 'pdf' : undefined;
}
