/** The blocks of a body of the Messages API, wherever they stand: in the conversation, in results and documents, and beside it. */
import { isJsonObject, type JsonObject } from '../../formats/json-object.ts';

/** Gives a block as it shall be: itself, to leave it as it is. Messages and tools count as blocks. */
type ChangeBlock = (block: JsonObject, path: string) => JsonObject;

/** The body with changed blocks; the same one where none changes. */
export const mapBlocks = (body: JsonObject, change: ChangeBlock): JsonObject =>
  ['system', 'tools', 'messages'].reduce((mapped, name) => mapMember(mapped, name, name, change), body);

/** The blocks, each with its path. */
export function blocksOf(body: JsonObject): readonly { readonly block: JsonObject; readonly path: string }[] {
  const found: { block: JsonObject; path: string }[] = [];
  mapBlocks(body, (block, path) => {
    found.push({ block, path });
    return block;
  });
  return found;
}

function mapMember(object: JsonObject, name: string, path: string, change: ChangeBlock): JsonObject {
  const list = object[name];
  if (!Array.isArray(list)) return object;
  const mapped = list.map((item, index) =>
    isJsonObject(item) ? mapBlock(item, `${path}.${index}`, change) : item,
  );
  return mapped.every((item, index) => item === list[index]) ? object : { ...object, [name]: mapped };
}

/** What a document consists of stands in its source, and what a message changes of the tools in its changes and definitions. */
function mapBlock(block: JsonObject, path: string, change: ChangeBlock): JsonObject {
  const changed = mapLists(change(block, path), path, change);
  const mapped = mapObject(changed, 'source', path, (source, at) =>
    mapMember(source, 'content', `${at}.content`, change),
  );
  return mapObject(mapped, 'tool', path, (tool, at) =>
    mapObject(tool, 'definition', at, (definition, where) => mapBlock(definition, where, change)),
  );
}

const mapLists = (block: JsonObject, path: string, change: ChangeBlock): JsonObject =>
  ['content', 'tool_changes'].reduce(
    (mapped, name) => mapMember(mapped, name, `${path}.${name}`, change),
    block,
  );

/** The object with a changed member, which is an object, too; the same one where it does not change. */
function mapObject(
  object: JsonObject,
  name: string,
  path: string,
  map: (member: JsonObject, path: string) => JsonObject,
): JsonObject {
  const member = object[name];
  if (!isJsonObject(member)) return object;
  const mapped = map(member, `${path}.${name}`);
  return mapped === member ? object : { ...object, [name]: mapped };
}
