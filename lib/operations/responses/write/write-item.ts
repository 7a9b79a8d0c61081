/** What the writers of all kinds of output items share: a place in the output, and a way to tell of it. */
import type { OutputItem } from '../read/items.ts';

/** The place of one item. */
export interface Slot {
  readonly id: string;
  /** An event of the item; `type` without `response.`. */
  tell(type: string, fields?: object): void;
  added(item: OutputItem): void;
  done(item: OutputItem): void;
}

export interface ItemWriter {
  /** The item as far as it is written. */
  item(): OutputItem;
}

/** How an answer ended, as far as its items show it. */
export type Ending = 'completed' | 'incomplete';
