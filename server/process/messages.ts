/** What the primary process and its workers report to each other. */
import type { Figures } from './figures.ts';

/** How often a worker reports its figures. */
export const reportMs = 5_000;

export type ToPrimary =
  /** It serves requests at this URL. */
  | { readonly type: 'ready'; readonly url: string }
  /** Something in it has failed that no request accounts for. It serves until another takes its place. */
  | { readonly type: 'failing' }
  /** It serves what runs, and then ends. */
  | { readonly type: 'leaving' }
  | { readonly type: 'figures'; readonly figures: Figures };

export type ToWorker =
  /** The server stops. */
  | { readonly type: 'stop' }
  /** Another has taken its place: it may end whenever its requests have. */
  | { readonly type: 'retire' };
