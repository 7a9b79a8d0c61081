/** What a module declares, and the functions in it, by their positions in its text. */
import { parseAst } from 'rolldown/parseAst';

interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Declaration extends Range {
  readonly name: string;
  /** Of a function: itself, without `export`. */
  readonly own?: Range;
  /** Function expressions in it. V8 compiles them at once where they are in parentheses. */
  readonly inner: readonly Range[];
}

interface Node extends Range {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Read = Declaration & { readonly isSignature?: true };

/** A function with several signatures is left out: only the last of them has a body. */
export function declarationsOf(path: string, text: string): readonly Declaration[] {
  const { body } = parseAst(text, { lang: languageOf(path) });
  const read = nodesIn(body).flatMap(readStatement);
  const signatures = new Set(read.filter(({ isSignature }) => isSignature).map(({ name }) => name));
  return read.filter(({ name }) => !signatures.has(name));
}

export const languageOf = (path: string): 'ts' | 'js' => (path.endsWith('.ts') ? 'ts' : 'js');

function readStatement(statement: Node): readonly Read[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (!isNode(declared)) return [];
  const { start, end } = statement;
  const [declarator] = nodesIn(declared.declarations);
  const read = { name: nameOf(declarator ?? declared), start, end, inner: innerFunctions(declared) };
  switch (declared.type) {
    case 'FunctionDeclaration':
      return [{ ...read, own: declared }];
    case 'TSDeclareFunction':
      return [{ ...read, isSignature: true }];
    case 'VariableDeclaration':
      return [read];
    default:
      return [];
  }
}

const nameOf = ({ id }: Node): string => (isNode(id) && typeof id.name === 'string' ? id.name : '');

/** V8 does not read methods and asynchronous arrow functions so. */
function innerFunctions(node: Node): readonly Range[] {
  const isMethod = node.method === true || (node.kind !== undefined && node.kind !== 'init');
  return Object.entries(node).flatMap(([field, value]) =>
    nodesIn(value).flatMap((child) => {
      const isExpression =
        (child.type === 'FunctionExpression' && !(isMethod && field === 'value')) ||
        (child.type === 'ArrowFunctionExpression' && child.async === false);
      return [...(isExpression ? [child] : []), ...innerFunctions(child)];
    }),
  );
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);
