/** The texts in JSON: its strings, the names of its members, and its long numbers. */
import { isJsonObject } from '../../core/formats/json-object.ts';

/** Gives a text as it shall be. */
export type ChangeText = (text: string, path: string) => string;

/** What these members have is no text, but bytes, signatures and ids that only a provider reads. */
const opaque: ReadonlySet<string> = new Set([
  ...['encrypted_content', 'encrypted_index', 'signature', 'thoughtSignature', 'type', 'id', 'call_id'],
  ...['tool_use_id', 'item_id', 'media_type', 'file_id', 'container_id', 'cache_control', 'role', 'status'],
]);

/** Names that a protocol gives its own members: no caller has written them. */
const ofProtocols: ReadonlySet<string> = new Set([
  ...[
    'content',
    'text',
    'source',
    'name',
    'input',
    'output',
    'description',
    'input_schema',
    'parameters',
    'title',
  ],
  ...[
    'context',
    'citations',
    'thinking',
    'data',
    'url',
    'properties',
    'required',
    'enum',
    'items',
    'messages',
  ],
  ...[
    'system',
    'tools',
    'arguments',
    'action',
    'queries',
    'query',
    'results',
    'summary',
    'is_error',
    'schema',
  ],
]);

/** Shorter ones are no card and no phone. */
const longNumber = 100_000_000;

const isBytes = (text: string): boolean => /^data:[^,]{0,200};base64,/i.test(text.slice(0, 256));

/** The same value where no text changes. */
export function walkJson(value: unknown, path: string, change: ChangeText): unknown {
  if (typeof value === 'string') return isBytes(value) ? value : change(value, path);
  if (typeof value === 'number') {
    if (Math.abs(value) < longNumber) return value;
    const changed = change(`${value}`, path);
    return changed === `${value}` ? value : changed;
  }
  if (Array.isArray(value)) {
    const list = value.map((item, index) => walkJson(item, `${path}.${index}`, change));
    return list.every((item, index) => item === value[index]) ? value : list;
  }
  return isJsonObject(value) ? walkObject(value, path, change) : value;
}

function walkObject(object: Readonly<Record<string, unknown>>, path: string, change: ChangeText): unknown {
  // Of an image or a file; a text document has its text there.
  const isBase64 = object.type === 'base64' || 'format' in object;
  const members = Object.entries(object).map(([name, value]) => {
    if (opaque.has(name) || (name === 'data' && isBase64)) return [name, value] as const;
    const shown = ofProtocols.has(name) ? name : change(name, path);
    return [shown, walkJson(value, `${path}.${name}`, change)] as const;
  });
  const isSame = members.every(([name, value]) => Object.hasOwn(object, name) && object[name] === value);
  return isSame ? object : Object.fromEntries(members);
}
