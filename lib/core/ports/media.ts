/** Images and documents at callers' URLs. */

/** The kinds of message parts that are not text. */
export type MediaKind = 'image' | 'file';

/** The bytes of an image or a document. */
export interface FetchedMedia {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
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
