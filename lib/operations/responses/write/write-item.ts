/** What the writers of all types of output items share: the item's slot in the output, which emits its events. */
import type { OutputItem } from '../read/items.ts';

/** The position of one item in the output. */
export interface Slot {
  readonly id: string;
  /** Emits an event of the item; `type` without `response.`. */
  emit(type: string, fields?: object): void;
  added(item: OutputItem): void;
  done(item: OutputItem): void;
}

export interface ItemWriter {
  /** The item as written so far. */
  item(): OutputItem;
}

/** The final status of an item. */
export type Ending = 'completed' | 'incomplete';
