/** What OpenAI's images API answers: the types of its SDK, which are erased. A field that is not here is not read. */
import type { ImagesResponse, Image as SentImage } from 'openai/resources/images';
import type { Wire } from '../../core/formats/json-object.ts';

export type Answer = Wire<ImagesResponse | { readonly error: unknown }>;
export type Image = Wire<SentImage>;
/** `cached_tokens`: newer than the SDK. */
export type Usage = Wire<ImagesResponse.Usage>;
export type Details = Wire<ImagesResponse.Usage.InputTokensDetails | { readonly cached_tokens: number }>;
