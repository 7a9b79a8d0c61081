/** Reads the XML that services with the query protocol answer with. Source: smithy.io, "AWS query protocol". */

/** A text, a list of `member` elements, or elements by name. */
export type XmlValue = string | readonly XmlValue[] | { readonly [name: string]: XmlValue };

interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

/** The content of the outermost element. Throws Error for what is no XML of a service. */
export function readXml(text: string): XmlValue {
  const root: Element = { name: '', children: [], text: '' };
  const open: Element[] = [root];
  for (const piece of text.split('<').slice(1)) {
    const end = piece.indexOf('>');
    const tag = piece.slice(0, Math.max(end, 0));
    const [, name] = tagName.exec(tag) ?? [];
    if (tag.startsWith('/')) open.pop();
    else if (name !== undefined) {
      const element: Element = { name, children: [], text: '' };
      open.at(-1)?.children.push(element);
      if (!tag.endsWith('/')) open.push(element);
    }
    const current = open.at(-1);
    if (!current) break;
    if (end >= 0) current.text += piece.slice(end + 1);
  }
  const [outermost] = root.children;
  if (!outermost || open.length !== 1) throw new Error('The answer of the service is not XML.');
  return contentOf(outermost);
}

/** Declarations and comments have none. */
const tagName = /^([A-Za-z][\w.:-]*)/;

function contentOf({ children, text }: Element): XmlValue {
  if (children.length === 0) return unescaped(text.trim());
  if (children.every(({ name }) => name === 'member')) return children.map(contentOf);
  return Object.fromEntries(children.map((child) => [child.name, contentOf(child)]));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const unescaped = (text: string) =>
  text.replaceAll(
    /&(?:(\w+)|#(\d+)|#x([0-9a-f]+));/gi,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return entities[name] ?? all;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
    },
  );

/** What is at a path; undefined where there is nothing. */
function at(value: XmlValue | undefined, ...path: readonly string[]): XmlValue | undefined {
  return path.reduce<XmlValue | undefined>((found, name) => {
    if (typeof found !== 'object' || Array.isArray(found)) return undefined;
    return (found as Readonly<Record<string, XmlValue>>)[name];
  }, value);
}

export function textAt(value: XmlValue | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** An empty list is an empty text in XML. */
export function listAt(value: XmlValue | undefined, ...path: readonly string[]): readonly XmlValue[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
