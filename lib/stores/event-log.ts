/**
 * The log of a stream: blocks of text, each compressed and encrypted with the log's own key, in one item or more (`<prefix>#<n>`). Where
 * the key is removed, the log cannot be read.
 */
import type { AppendBlock, ReadBlock } from '../core/ports/event-log.ts';
import { expiryAttribute } from '../core/tables.ts';
import type { Table } from './dynamodb/table.ts';
import { compress, decompress } from './responses/compression.ts';
import { maxPieceBytes, seal, unseal } from './responses/pieces.ts';

interface EventLogOptions {
  readonly table: Table;
  /** Of the keys of its items. */
  readonly prefix: string;
  /** Base64. */
  readonly key: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Of an item; smaller ones in tests. */
  readonly itemBytes?: number | undefined;
}

interface EventLog {
  readonly append: AppendBlock;
  readonly read: ReadBlock;
}

/** Of a block, before it is compressed. */
const maxBlockBytes = 64 * 1024 * 1024;

export function openEventLog(options: EventLogOptions): EventLog {
  const { table, prefix, expiresAt, now, itemBytes = maxPieceBytes } = options;
  const keyOf = (n: number) => `${prefix}#${n}`;
  return {
    async append(first, text) {
      const data = await compress(Buffer.from(text));
      const fields = { at: now(), [expiryAttribute]: expiresAt };
      let n = first;
      for (let start = 0; start < data.length; start += itemBytes) {
        const key = keyOf(n);
        const piece = seal(data.subarray(start, start + itemBytes), options, key, n);
        const more = start + itemBytes < data.length;
        await table.put(key, { data: piece, ...(more && { more }), ...fields });
        n += 1;
      }
      return n;
    },
    async read(first) {
      const pieces: Buffer[] = [];
      for (let n = first; ; n += 1) {
        const key = keyOf(n);
        const { data, more, at } = (await table.get(key, { consistent: true })) ?? {};
        const piece = data instanceof Uint8Array ? unseal(data, options, key, n) : undefined;
        if (!piece) return undefined;
        pieces.push(piece);
        if (more !== true) {
          const text = await decompress(Buffer.concat(pieces), maxBlockBytes);
          return { text: text.toString(), next: n + 1, ...(typeof at === 'number' && { at }) };
        }
      }
    },
  };
}
