/** Damages inputs: bytes, lines, and the values, names and places in the JSON of a line. */
import type { Random } from '../harness/random.ts';
import { providerKey } from './key.ts';

const nested = (depth: number): unknown => (depth === 0 ? 'deep' : [{ text: nested(depth - 1) }]);

/** Values to put in place of others. */
const strangers: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, 4_294_967_296, 1e-300],
  ...[
    '',
    ' ',
    'constructor',
    '__proto__',
    '\ud800',
    '\u0000',
    '[DONE]',
    'STOP',
    'error',
    '{}',
    '"',
    '1e999',
    '-0',
  ],
  ...[[], [null], [[]], {}, { text: {} }, { type: 'text', text: 'stranger' }, nested(300)],
  ...[providerKey, `${'x'.repeat(480)} ${providerKey}`],
  ...['x'.repeat(5_000), ' '.repeat(5_000), '{"a":'.repeat(1_000)],
  JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'),
];

const names = ['__proto__', 'constructor', 'toString', 'length', 'type', 'index', 'text', 'error', ''];

type Change = (random: Random, input: Buffer) => Buffer;

export function mutate(random: Random, sample: Buffer): Buffer {
  let input = sample;
  for (let left = random.between(1, 4); left > 0; left--) input = random.one(changes)(random, input);
  return input;
}

const changes: readonly Change[] = [
  changeJson,
  changeJson,
  changeJson,
  changeJson,
  changeLines,
  changeBytes,
  (random, input) => input.subarray(0, random.between(0, input.length)),
];

function changeBytes(random: Random, input: Buffer): Buffer {
  const at = random.between(0, Math.max(0, input.length - 1));
  const length = random.between(1, 20);
  const before = input.subarray(0, at);
  switch (random.between(0, 2)) {
    case 0:
      return Buffer.concat([before, Buffer.of(random.between(0, 255)), input.subarray(at + 1)]);
    case 1:
      return Buffer.concat([before, input.subarray(at + length)]);
    default: {
      const from = random.between(0, Math.max(0, input.length - 1));
      return Buffer.concat([before, input.subarray(from, from + length), input.subarray(at)]);
    }
  }
}

function changeLines(random: Random, input: Buffer): Buffer {
  const lines = input.toString().split('\n');
  const at = random.between(0, lines.length - 1);
  const line = lines[at] ?? '';
  const other = random.between(0, lines.length - 1);
  switch (random.between(0, 3)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(other, 0, ...Array.from({ length: random.between(1, 5) }, () => line));
      break;
    case 2:
      lines.splice(other, 0, ...lines.splice(at, 1));
      break;
    default:
      lines[at] = lines[other] ?? '';
  }
  return Buffer.from(lines.join('\n'));
}

/** The JSON of a line, or what is behind the name of a field, as in server-sent events. */
function changeJson(random: Random, input: Buffer): Buffer {
  const lines = input.toString().split('\n');
  const at = random.between(0, lines.length - 1);
  const [, field = '', text = ''] = /^([a-z]+: ?)?(.*)$/s.exec(lines[at] ?? '') ?? [];
  try {
    lines[at] = `${field}${JSON.stringify(changeValue(random, JSON.parse(text)))}`;
    return Buffer.from(lines.join('\n'));
  } catch {
    return changeBytes(random, input);
  }
}

/** The value with one of its nodes, counted depth-first, changed. */
function changeValue(random: Random, value: unknown): unknown {
  let left = random.between(0, countNodes(value) - 1);
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return changeNode(random, node, value);
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(walk);
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
}

function changeNode(random: Random, node: unknown, whole: unknown): unknown {
  if (typeof node === 'number' && random.chance(0.5)) return node * random.one([-1, 0, 0.5, 1e6, 1e300]);
  if (typeof node === 'string' && random.chance(0.4)) {
    return random.one([
      node.slice(0, random.between(0, node.length)),
      node + node,
      `${node} `,
      node.toUpperCase(),
    ]);
  }
  if (Array.isArray(node) && random.chance(0.5)) {
    return random.one([[], [...node, ...node], node.toReversed(), [node], node.slice(1)]);
  }
  if (typeof node === 'object' && node !== null && random.chance(0.6))
    return changeEntries(random, Object.entries(node));
  return random.chance(0.2) ? whole : random.one(strangers);
}

function changeEntries(random: Random, entries: [string, unknown][]): unknown {
  const at = random.between(0, Math.max(0, entries.length - 1));
  const [, value] = entries[at] ?? ['', random.one(strangers)];
  const others = entries.toSpliced(at, 1);
  switch (random.between(0, 2)) {
    case 0:
      return Object.fromEntries(others);
    case 1:
      return Object.fromEntries([...others, [random.one(names), value]]);
    default:
      return Object.fromEntries([...entries, [random.one(names), random.one(strangers)]]);
  }
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countNodes(inner), 1);
}
