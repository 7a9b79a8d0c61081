/** Every regular expression in the source of a folder: literals, and what `RegExp` is called with. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

export interface Pattern {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const root = join(import.meta.dirname, '../../..');

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly Node[];
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

export function findPatterns(folder: string): readonly Pattern[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const place = (start = 0) => `${file}:${text.slice(0, start).split('\n').length}`;
      return patternsOf(parseAst(text, { lang: 'ts', astType: 'ts' }, file) as Node, place);
    });
}

/** Throws for a pattern that is computed from more than constants in a template. */
function patternsOf(node: Node, place: (start?: number) => string): readonly Pattern[] {
  const { type, start, regex, callee } = node;
  if (regex) return [{ place: place(start), source: regex.pattern, flags: regex.flags }];
  const own: Pattern[] = [];
  if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
    const [source, flags] = (node.arguments ?? []).map(textOf);
    if (source === undefined) throw new Error(`The pattern at ${place(start)} cannot be read.`);
    own.push({ place: place(start), source, flags: flags ?? '' });
  }
  const below = Object.entries(node).flatMap(([name, value]) => (name === 'parent' ? [] : [value].flat()));
  const inner = below.filter((value): value is Node => typeof value === 'object' && value !== null);
  return [...own, ...inner.flatMap((one) => patternsOf(one, place))];
}

/** A constant text; a part of a template that is computed counts as `1`, which is right in a pattern and as a quantity. */
function textOf({ value, quasis }: Node): string | undefined {
  return typeof value === 'string' ? value : quasis?.map((part) => part.value.cooked).join('1');
}
