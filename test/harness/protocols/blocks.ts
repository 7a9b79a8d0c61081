/** What protocols with numbered blocks share: which block a step belongs to, and when blocks open and close. */
import type { Step } from './step.ts';

type Kind = 'text' | 'reasoning' | 'call';

export interface BlockPiece {
  readonly at: 'open' | 'piece' | 'close';
  readonly index: number;
  readonly kind: Kind;
  readonly step: Step;
}

/**
 * The steps with the blocks around them: a piece of another kind closes the open text or reasoning; calls stay open
 * beside each other until the finish.
 */
export function withBlocks(steps: readonly Step[]): readonly (Step | BlockPiece)[] {
  const calls = new Map<number, number>();
  let last: BlockPiece | undefined;
  let count = 0;
  const close = (): BlockPiece[] => {
    const closed = last === undefined ? [] : [{ ...last, at: 'close' as const }];
    last = undefined;
    return closed;
  };
  return steps.flatMap((step): (Step | BlockPiece)[] => {
    if (step.type === 'text' || step.type === 'reasoning') {
      if (last?.kind === step.type) return [{ ...last, at: 'piece', step }];
      const before = close();
      last = { at: 'open', index: count++, kind: step.type, step };
      return [...before, last, { ...last, at: 'piece' }];
    }
    if (step.type === 'call') {
      calls.set(step.call, count);
      return [...close(), { at: 'open', index: count++, kind: 'call', step }];
    }
    if (step.type === 'arguments') {
      return [{ at: 'piece', index: calls.get(step.call) ?? 0, kind: 'call', step }];
    }
    if (step.type !== 'finish') return [step];
    const open = [...calls.values()].map((index): BlockPiece => ({ at: 'close', index, kind: 'call', step }));
    calls.clear();
    return [...close(), ...open, step];
  });
}
