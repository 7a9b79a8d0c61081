/** The texts in JSON: its strings, the names of its members, and its long numbers. */
import { isJsonObject } from '../../core/formats/json-object.ts';

/** Gives a text as it shall be. */
export type ChangeText = (text: string, path: string) => string;

/** What these members of a protocol have is no text, but bytes, signatures and ids that only a provider reads. */
const opaque: ReadonlySet<string> = new Set([
  ...['encrypted_content', 'encrypted_index', 'signature', 'thoughtSignature', 'type', 'id', 'call_id'],
  ...['tool_use_id', 'item_id', 'media_type', 'file_id', 'container_id', 'cache_control', 'role', 'status'],
]);

/** What these members have is the caller's or the model's own JSON: it may give any name to any text. */
const ownMembers: ReadonlySet<string> = new Set([
  ...['input', 'input_schema', 'input_examples', 'arguments', 'metadata', 'parameters', 'schema'],
]);

/** What a schema says of a value, and no text. */
const schemaTypes: ReadonlySet<unknown> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'],
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

/** Members that have a file or an image as a URL with its bytes. */
const ofBytes: ReadonlySet<string> = new Set(['url', 'image_url', 'file_data']);
const isBytes = (value: unknown): boolean =>
  typeof value === 'string' && /^data:[^,]{0,200};base64,/i.test(value.slice(0, 256));

/** The same value where no text changes. `isOwn`: it is no part of a protocol. */
export function walkJson(value: unknown, path: string, change: ChangeText, isOwn = false): unknown {
  if (typeof value === 'string') return change(value, path);
  if (typeof value === 'number') {
    if (Math.abs(value) < longNumber) return value;
    const changed = change(`${value}`, path);
    return changed === `${value}` ? value : changed;
  }
  if (Array.isArray(value)) {
    const list = value.map((item, index) => walkJson(item, `${path}.${index}`, change, isOwn));
    return list.every((item, index) => item === value[index]) ? value : list;
  }
  return isJsonObject(value) ? walkObject(value, path, change, isOwn) : value;
}

function walkObject(
  object: Readonly<Record<string, unknown>>,
  path: string,
  change: ChangeText,
  isOwn: boolean,
): unknown {
  const isNoText = isOwn ? isSchemaType : isOpaqueIn(object);
  const members = Object.entries(object).map(([name, value]) => {
    if (isNoText(name, value)) return [name, value] as const;
    const shown = ofProtocols.has(name) ? name : change(name, path);
    return [shown, walkJson(value, below(path, name), change, isOwn || ownMembers.has(name))] as const;
  });
  const isSame = members.every(([name, value]) => Object.hasOwn(object, name) && object[name] === value);
  return isSame ? object : Object.fromEntries(members);
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const isSchemaType = (name: string, value: unknown): boolean =>
  name === 'type' && (Array.isArray(value) ? value : [value]).every((one) => schemaTypes.has(one));

/** Of an image or a file, `data` is bytes; a text document has its text there. */
const isOpaqueIn = (object: Readonly<Record<string, unknown>>) => (name: string, value: unknown) =>
  opaque.has(name) ||
  (name === 'data' && (object.type === 'base64' || (object.type === undefined && 'format' in object))) ||
  (ofBytes.has(name) && isBytes(value));
