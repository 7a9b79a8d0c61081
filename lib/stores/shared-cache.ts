/**
 * What the gateway remembers between requests, until it expires: the items of the state table. Items: `note#<key>`.
 */
import type { SharedCache } from '../core/ports.ts';
import { expiryAttribute } from '../core/tables.ts';
import { openTable, type TableOptions } from './dynamodb/table.ts';

export interface NotesOptions extends TableOptions {
  readonly now: () => number;
  /** Told of a read or write that failed; the request goes on without it. */
  readonly warn: (cause: unknown) => void;
  /** How many notes this environment keeps at hand. */
  readonly size?: number;
}

interface Note {
  readonly text: string;
  readonly untilMs: number;
}

/** Notes in the table, with a memory of this environment before it. */
export function createSharedCache({ call, table, now, warn, size = 1_000 }: NotesOptions): SharedCache {
  const items = openTable({ call, table });
  const memory = new Map<string, Note>();

  function remember(key: string, note: Note): void {
    memory.delete(key);
    memory.set(key, note);
    const [oldest] = memory.keys();
    if (memory.size > size && oldest !== undefined) memory.delete(oldest);
  }

  const read = async (key: string) => {
    const item = await items.get(`note#${key}`).catch((cause: unknown) => void warn(cause));
    return readNote(item ?? undefined);
  };

  const write = async (key: string, { text, untilMs }: Note) => {
    const seconds = Math.floor(untilMs / 1000);
    await items.put(`note#${key}`, { text, until_ms: untilMs, [expiryAttribute]: seconds }).catch(warn);
  };

  return {
    async find(key) {
      const note = memory.get(key) ?? (await read(key));
      // The table forgets late, so time decides.
      if (!note || note.untilMs <= now()) return undefined;
      remember(key, note);
      return note.text;
    },
    async keep(key, text, lifetimeMs) {
      const note = { text, untilMs: now() + lifetimeMs };
      remember(key, note);
      await write(key, note);
    },
    async forget(key) {
      memory.delete(key);
      await write(key, { text: '', untilMs: now() });
    },
  };
}

function readNote(item: Readonly<Record<string, unknown>> | undefined): Note | undefined {
  const { text, until_ms: untilMs } = item ?? {};
  return typeof text === 'string' && typeof untilMs === 'number' ? { text, untilMs } : undefined;
}
