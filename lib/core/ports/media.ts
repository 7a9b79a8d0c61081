/** Images, documents and videos at callers' URLs. */

/** What is expected at a URL: an image, a PDF (`file`), an office document, a text file or a video. */
export type MediaKind = 'image' | 'file' | 'office' | 'text' | 'video';

/** The bytes of an image or a document. */
export interface FetchedMedia {
  /** For an office document only its container: Word, Excel and PowerPoint files begin alike. */
  readonly mediaType: string;
  readonly base64: string;
}

/**
 * Fetches an image or a document from a caller's URL, for a provider that does not accept URLs. Only https, only public
 * addresses, within limits of size and time; the type is detected by the first bytes. Rejects with GatewayError
 * `invalid_request` for `param`.
 */
export type FetchMedia = (
  url: string,
  options: { readonly kind: MediaKind; readonly param: string; readonly signal?: AbortSignal },
) => Promise<FetchedMedia>;
