/**
 * The content blocks of a message as events. One block is open at a time and the others wait, with what they have so far: calls
 * whose pieces come in turns are written one after the other. How much may wait is limited by the size of an answer
 * (`lib/pipeline/answer-bounds`).
 */
import type { PublicEvent } from '../../../core/endpoint.ts';

export interface Block {
  /** The deltas that wait until it is open, as JSON text. */
  readonly waiting: string[];
  next: Block | undefined;
  /** Nothing follows. */
  isEnded: boolean;
  /** It was written to its end. */
  isClosed: boolean;
  /** Whether its content is whole, although more might follow: then it makes room for the next one. */
  readonly isWhole: () => boolean;
  readonly start: object;
}

export type Blocks = ReturnType<typeof createBlocks>;

const never = () => false;

export function createBlocks() {
  let out: PublicEvent[] = [];
  let count = 0;
  /** The position of the open block. */
  let index = -1;
  let open: Block | undefined;
  let last: Block | undefined;
  /** The beginning of the deltas of the open block, which is the same for all of them. */
  let head = '';

  const writeDelta = (delta: string) => {
    out.push({ event: 'content_block_delta', data: `${head}${delta}}` });
  };
  const begin = (block: Block) => {
    open = block;
    index += 1;
    head = `{"type":"content_block_delta","index":${index},"delta":`;
    const { start: content_block } = block;
    out.push({ event: 'content_block_start', data: { type: 'content_block_start', index, content_block } });
    block.waiting.forEach(writeDelta);
    block.waiting.length = 0;
  };
  /** Closes the open block if it may close, and begins those that waited for it. */
  const settle = () => {
    while (open && (open.isEnded || (open.next && open.isWhole()))) {
      out.push({ event: 'content_block_stop', data: `{"type":"content_block_stop","index":${index}}` });
      open.isClosed = true;
      const { next } = open;
      open = undefined;
      if (next) begin(next);
    }
  };
  return {
    /** How many there are. */
    count: () => count,
    /** Appends what is written from now on to this list. */
    writeTo(list: PublicEvent[]) {
      out = list;
    },
    /** `start`: the block as it begins. */
    add(start: object, isWhole: () => boolean = never) {
      const block: Block = { start, isWhole, waiting: [], next: undefined, isEnded: false, isClosed: false };
      count += 1;
      if (last) last.next = block;
      last = block;
      if (open) settle();
      else begin(block);
      return block;
    },
    /** `delta`: as JSON text. */
    delta(block: Block, delta: string) {
      if (block !== open) {
        block.waiting.push(delta);
        return;
      }
      writeDelta(delta);
      if (block.next) settle();
    },
    end(block: Block) {
      block.isEnded = true;
      settle();
    },
  };
}
