/** The original, which targets of Anthropic's protocol get: the caller's body without what is the gateway's own. */
import type { ReadHeader } from '../../../../core/endpoint.ts';
import { GatewayError } from '../../../../core/errors/errors.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../../../../core/formats/json-object.ts';
import type { OriginalCost, OriginalRequest } from '../../../../core/generation/original/original.ts';
import { createCallIds } from '../../../../core/generation/tools/tool-call-id.ts';
import { type Change, overridden, stripped } from '../../../../normalization/rule.ts';
import { isOwnSignature } from '../../signature.ts';
import { type Adapted, adaptThinking } from './original-thinking.ts';
import { textOfServerTool } from './server-tool-history.ts';

/** Of the header `anthropic-beta`, in characters: a hundred betas. */
const maxBetasLength = 4_096;

/** The others are about an account of Anthropic's, or for the way to it. */
const headerNames = ['anthropic-beta', 'anthropic-version'];

interface ReadOriginal {
  readonly original: OriginalRequest;
  /** What was left out of it. */
  readonly leftOut: readonly Change[];
}

/**
 * `given`: the body as it was sent. `ownFields`: those that are the gateway's.
 *
 * @throws GatewayError `invalid_request` for a header that is too long.
 */
export function readOriginal(
  given: JsonObject,
  header: ReadHeader,
  ownFields: readonly string[] = ['extra'],
  cost?: OriginalCost,
): ReadOriginal {
  const fields = Object.entries(given).filter(([name]) => !ownFields.includes(name));
  const alone = withoutPreviousMessage(Object.fromEntries(fields));
  const searched = adaptSearches(alone.body);
  const called = adaptCalls(searched.body);
  const { body, changes } = adaptThinking(called.body);
  return {
    original: { protocol: 'anthropic-messages', body, headers: readHeaders(header), ...(cost && { cost }) },
    leftOut: [...alone.changes, ...searched.changes, ...called.changes, ...changes],
  };
}

/**
 * Anthropic compares a request with an earlier one of the same account, which all tenants share. Null, as in a first request, asks for
 * no comparison. Source: platform.claude.com, "Cache diagnostics".
 */
function withoutPreviousMessage(body: JsonObject): Adapted {
  const { diagnostics } = body;
  if (!isJsonObject(diagnostics) || diagnostics.previous_message_id == null) return { body, changes: [] };
  const change = overridden(
    'diagnostics.previous_message_id',
    'an id',
    null,
    "The message may be another tenant's: all tenants share the account at Anthropic.",
  );
  return { body: { ...body, diagnostics: { ...diagnostics, previous_message_id: null } }, changes: [change] };
}

function readHeaders(header: ReadHeader): Record<string, string> {
  const given = headerNames.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, checked(name, value)] as const];
  });
  return Object.fromEntries(given);
}

/** A header that cannot be sent on would fail there, as if the provider could not be reached. */
function checked(name: string, value: string): string {
  if (value.length <= maxBetasLength && /^[\t\x20-\x7e]*$/.test(value)) return value;
  const message = `The header '${name}' may have at most ${maxBetasLength} characters, all of them ASCII.`;
  throw new GatewayError('invalid_request', message, { param: name });
}

/**
 * Calls of one id in a request that goes to Claude as its caller wrote it, as in a conversation with a host that counts the calls of
 * each answer from 0: "`tool_use` ids must be unique". Each further call gets another id, and so does its result.
 */

/** The same body where nothing must change. */
function adaptCalls(body: JsonObject): Adapted {
  const messages = objectsIn(body.messages);
  const ids = messages.flatMap(({ content }) =>
    objectsIn(content)
      .filter(isCall)
      .map(({ id }) => id),
  );
  if (new Set(ids).size === ids.length) return { body, changes: [] };
  const changes: Change[] = [];
  const uniqueId = createCallIds();
  /** The ids that the results of an id get: of the calls of the last message with it. */
  const open = new Map<unknown, string[]>();
  const renamed = (block: JsonObject, field: 'id' | 'tool_use_id', after: string, path: string) => {
    const before = block[field];
    if (before === after) return block;
    const reason = 'Claude refuses two calls of one id.';
    changes.push(overridden(`${path}.${field}`, before, after, reason));
    return { ...block, [field]: after };
  };
  const adapted = (body.messages as readonly unknown[]).map((message, index) => {
    if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
    const opened = new Map<unknown, string[]>();
    const content = message.content.map((block: unknown, at) => {
      if (!isJsonObject(block)) return block;
      const path = `messages.${index}.content.${at}`;
      if (isCall(block)) {
        const id = uniqueId(`${block.id}`);
        const own = opened.get(block.id) ?? [];
        own.push(id);
        opened.set(block.id, own);
        return renamed(block, 'id', id, path);
      }
      const id = block.type === 'tool_result' ? open.get(block.tool_use_id)?.pop() : undefined;
      return id === undefined ? block : renamed(block, 'tool_use_id', id, path);
    });
    for (const [id, own] of opened) open.set(id, own.toReversed());
    return { ...message, content };
  });
  return { body: { ...body, messages: adapted }, changes };
}

const isCall = ({ type, id }: JsonObject): boolean => type === 'tool_use' && typeof id === 'string';

/**
 * Searches of other models in a request that goes to Claude as its caller wrote it: their results and citations hold a signature
 * of the gateway where Claude's hold what Anthropic encrypted, and Anthropic would refuse them. They become texts.
 */

/** The same body where nothing must change. */
function adaptSearches(body: JsonObject): Adapted {
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
    changes.push(overridden(path, { type }, { type: 'text' }, reason));
    return { type: 'text', text };
  }
  const kept = objectsIn(citations).filter(({ encrypted_index: index }) => !isOwn(index));
  const count = objectsIn(citations).length - kept.length;
  if (type !== 'text' || count === 0) return block;
  const { citations: _, ...rest } = block;
  const before = `${count} ${count === 1 ? 'citation' : 'citations'}`;
  changes.push(stripped(`${path}.citations`, before, reason));
  return kept.length > 0 ? { ...rest, citations: kept } : rest;
}

const reason = 'Claude takes back only searches that Anthropic made.';
