/**
 * Searches of other models in a request that goes to Claude as its caller wrote it: their results and citations hold a signature
 * of the gateway where Claude's hold what Anthropic encrypted, and Anthropic would refuse them. They become texts.
 */
import { isJsonObject, type JsonObject, objectsIn } from '../../../../core/formats/json-object.ts';
import type { Change } from '../../../../normalization/rule.ts';
import { isOwnSignature } from '../../signature.ts';
import type { Adapted } from './original-thinking.ts';
import { textOfServerTool } from './server-tool-history.ts';

/** The same body where nothing must change. */
export function adaptSearches(body: JsonObject): Adapted {
  const changes: Change[] = [];
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const adapted = messages.map((message: unknown, index) => {
    if (!isJsonObject(message) || message.role !== 'assistant' || !Array.isArray(message.content))
      return message;
    const path = `messages.${index}.content`;
    const searches = ownSearches(message.content);
    const before = changes.length;
    const content = message.content.map((block: unknown, at) =>
      isJsonObject(block) ? adaptBlock(block, `${path}.${at}`, searches, changes) : block,
    );
    return changes.length > before ? { ...message, content } : message;
  });
  return changes.length > 0 ? { body: { ...body, messages: adapted }, changes } : { body, changes };
}

/** The ids of searches whose results are the gateway's. */
function ownSearches(content: readonly unknown[]): ReadonlySet<unknown> {
  const results = objectsIn(content).filter(({ type }) => type === 'web_search_tool_result');
  return new Set(
    results
      .filter((result) => objectsIn(result.content).some(({ encrypted_content: data }) => isOwn(data)))
      .map(({ tool_use_id: id }) => id),
  );
}

const isOwn = (value: unknown): boolean => typeof value === 'string' && isOwnSignature(value);

function adaptBlock(
  block: JsonObject,
  path: string,
  searches: ReadonlySet<unknown>,
  changes: Change[],
): JsonObject {
  const { type, id, tool_use_id, citations } = block;
  const isSearch = type === 'server_tool_use' && searches.has(id);
  if (isSearch || (type === 'web_search_tool_result' && searches.has(tool_use_id))) {
    const text = textOfServerTool({ ...block, type }, path) ?? '';
    changes.push({ param: path, action: 'override', before: { type }, after: { type: 'text' }, reason });
    return { type: 'text', text };
  }
  const kept = objectsIn(citations).filter(({ encrypted_index: index }) => !isOwn(index));
  const count = objectsIn(citations).length - kept.length;
  if (type !== 'text' || count === 0) return block;
  const { citations: _, ...rest } = block;
  const before = `${count} ${count === 1 ? 'citation' : 'citations'}`;
  changes.push({ param: `${path}.citations`, action: 'strip', before, after: null, reason });
  return kept.length > 0 ? { ...rest, citations: kept } : rest;
}

const reason = 'Claude takes back only searches that Anthropic made.';
