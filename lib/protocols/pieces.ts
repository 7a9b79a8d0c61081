/** Restores the order in which the model produced the pieces of an assistant message. */

/** The blocks of one text, call or search, and its position if the message has positions. */
export interface Piece<Block> {
  readonly position?: number | undefined;
  readonly blocks: readonly Block[];
}

export interface PositionedBlock<Block> {
  readonly position: number;
  readonly block: Block;
}

/**
 * All blocks of a message. If the pieces have no positions, all texts are one piece, which comes before the calls, and the
 * position of a reasoning piece is the number of pieces and other reasoning before it.
 */
export function inOrder<Block>(
  reasoning: readonly PositionedBlock<Block>[],
  texts: readonly Piece<Block>[],
  others: readonly Piece<Block>[],
): readonly Block[] {
  const all = [...texts, ...others];
  if (all.some(({ position }) => position !== undefined)) {
    const thoughts = reasoning.map(({ position, block }) => ({ position, blocks: [block] }));
    const sorted = [...thoughts, ...all].toSorted((one, other) => rank(one) - rank(other));
    return sorted.flatMap(({ blocks }) => blocks);
  }
  return between(reasoning, [
    texts.flatMap(({ blocks }) => blocks),
    ...others.map(({ blocks }) => [...blocks]),
  ]);
}

/** A piece without a position comes after those that have one. */
const rank = ({ position = Number.MAX_VALUE }: { readonly position?: number | undefined }) => position;

function between<Block>(
  reasoning: readonly PositionedBlock<Block>[],
  pieces: readonly (readonly Block[])[],
): readonly Block[] {
  const left = pieces.filter((piece) => piece.length > 0);
  const blocks: Block[] = [];
  let placed = 0;
  for (const { position, block } of reasoning) {
    const before = left.splice(0, Math.max(0, position - placed));
    blocks.push(...before.flat(), block);
    placed += before.length + 1;
  }
  return [...blocks, ...left.flat()];
}
