/**
 * What stands in a request for what was taken out of it, such as `[EMAIL_1]`: the same value has the same tag, and the numbers follow
 * the conversation, so that they stay as it grows. The values are kept for as long as the request.
 */
import { lazy } from '../../async/lazy.ts';

export interface Tags {
  tagFor(label: string, value: string): string;
  /** The value of a tag of the input. */
  valueOf(tag: string): string | undefined;
  /** From now on, tags stand for what the model wrote: these are not put back. */
  sealInput(): void;
  readonly isEmpty: () => boolean;
}

/** No tag is longer: labels are cut. In characters. */
export const maxTag = 32;

const maxLabel = 20;

export const tagForm = /\[[A-Z][A-Z0-9_]*_\d+\]/g;

/** `text`: all that the caller has written, which may have tags of its own. */
export function createTags(text: () => string): Tags {
  const taken = lazy(() => new Set(text().match(tagForm)));
  const tags = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  let isSealed = false;
  const newTag = (name: string): string => {
    for (;;) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const tag = `[${name}_${count}]`;
      if (!taken().has(tag)) return tag;
    }
  };
  return {
    tagFor(label, value) {
      const name =
        label
          .toUpperCase()
          .replace(/[^A-Z0-9]+/g, '_')
          .slice(0, maxLabel) || 'REDACTED';
      const known = tags.get(`${name} ${value}`);
      if (known !== undefined) return known;
      const tag = newTag(name);
      tags.set(`${name} ${value}`, tag);
      if (!isSealed) values.set(tag, value);
      return tag;
    },
    valueOf: (tag) => values.get(tag),
    sealInput() {
      isSealed = true;
    },
    isEmpty: () => values.size === 0,
  };
}
