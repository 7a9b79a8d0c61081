/** Ways to mutate an answer: its text, its JSON, and the order of its frames. */
import fc from 'fast-check';
import type { Frame } from '../../lib/core/generation/original/protocol.ts';

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : [{ text: nested(depth - 1) }]);

/** Values to put in place of others. */
const strangers: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  4_294_967_296,
  '',
  'constructor',
  '\ud800',
  'STOP',
  'error',
  [],
  [null],
  [[]],
  {},
  { text: {} },
  { type: 'text', text: 'stranger' },
  JSON.parse('{"__proto__": {"text": 1}}'),
  nested(300),
];

/** `at` and `to` choose a position, modulo the number of positions. */
interface Spoiling {
  readonly kind:
    | 'json'
    | 'text'
    | 'cut-text'
    | 'delete'
    | 'repeat'
    | 'swap'
    | 'event'
    | 'exception'
    | 'nothing';
  readonly at: number;
  readonly to: number;
  readonly stranger: unknown;
}

const position = fc.nat(1_000_000);

const jsonSpoiling: fc.Arbitrary<Spoiling> = fc.record({
  kind: fc.constant('json'),
  at: position,
  to: position,
  stranger: fc.oneof(fc.constantFrom(...strangers), fc.jsonValue({ maxDepth: 3 })),
});

const frameSpoiling: fc.Arbitrary<Spoiling> = fc.record({
  kind: fc.constantFrom('text', 'cut-text', 'delete', 'repeat', 'swap', 'event', 'exception', 'nothing'),
  at: position,
  to: position,
  stranger: fc.constantFrom(...strangers),
});

/** Mutations of a stream: mostly of the values in it. */
export const streamSpoilings = fc.array(fc.oneof({ weight: 2, arbitrary: jsonSpoiling }, frameSpoiling), {
  minLength: 1,
  maxLength: 4,
});

export const bodySpoilings = fc.array(jsonSpoiling, { minLength: 1, maxLength: 4 });

export function spoilBody(body: unknown, spoilings: readonly Spoiling[]): unknown {
  return spoilings.reduce((value, { at, stranger }) => replaceNode(value, at, stranger), body);
}

export function spoilFrames(frames: readonly Frame[], spoilings: readonly Spoiling[]): readonly Frame[] {
  return spoilings.reduce(spoil, frames);
}

function spoil(frames: readonly Frame[], { kind, at, to, stranger }: Spoiling): readonly Frame[] {
  const index = at % Math.max(1, frames.length);
  const frame = frames[index];
  if (!frame) return frames;
  const instead = (...changed: readonly Frame[]) => frames.toSpliced(index, 1, ...changed);
  const position = to % Math.max(1, frame.data.length);
  switch (kind) {
    case 'json':
      return instead({ ...frame, data: spoilText(frame.data, to, stranger) });
    case 'text':
      return instead({ ...frame, data: flip(frame.data, position) });
    case 'cut-text':
      return instead({ ...frame, data: frame.data.slice(0, position) });
    case 'delete':
      return instead();
    case 'repeat':
      return instead(...Array.from({ length: 1 + (to % 3) }, () => frame), frame);
    case 'swap':
      return instead().toSpliced(to % frames.length, 0, frame);
    case 'event':
      return instead({ ...frame, event: frames[to % frames.length]?.event ?? '' });
    case 'exception':
      return instead({ ...frame, exception: true });
    case 'nothing':
      return instead({ ...frame, data: '' });
  }
}

function flip(text: string, position: number): string {
  const flipped = String.fromCharCode(text.charCodeAt(position) ^ 4);
  return text.slice(0, position) + flipped + text.slice(position + 1);
}

function spoilText(text: string, at: number, stranger: unknown): string {
  try {
    return JSON.stringify(replaceNode(JSON.parse(text), at, stranger));
  } catch {
    return text;
  }
}

/** The value with one of its nodes, counted depth-first, replaced. */
function replaceNode(value: unknown, at: number, stranger: unknown): unknown {
  const count = countNodes(value);
  let left = at % count;
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return stranger;
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(walk);
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countNodes(inner), 1);
}
