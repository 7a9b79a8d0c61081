/**
 * The thinking of a request that goes to Claude as its caller wrote it. What Claude did not sign never reaches it: it would
 * refuse the whole request, as in a conversation that another model began.
 */
import { asArray, isJsonObject, type JsonObject } from '../../../../core/formats/json-object.ts';
import { type Change, overridden, stripped } from '../../../../normalization/rule.ts';
import { isOwnSignature } from '../../signature.ts';

/** The body of a request in Claude's protocol, and what was changed of it. */
export interface Adapted {
  readonly body: JsonObject;
  readonly changes: readonly Change[];
}

/** The same body where nothing must change. */
export function adaptThinking(body: JsonObject): Adapted {
  return without(body, isUnsigned, 'Claude takes back only thinking that it has signed itself.');
}

/** The body without any thinking of earlier turns, which the target has refused. */
export function withoutThinking(body: JsonObject): Adapted {
  return without(body, isThinking, 'The model does not take the thinking of another one back.');
}

type IsLeftOut = (block: unknown) => boolean;

function without(body: JsonObject, isLeftOut: IsLeftOut, reason: string): Adapted {
  const signed = withoutBlocks(body, isLeftOut, reason);
  const thought = withoutUnthoughtLoop(signed.body);
  return { body: thought.body, changes: [...signed.changes, ...thought.changes] };
}

/** A message that has nothing else is left out: "all messages must have non-empty content". */
function withoutBlocks(body: JsonObject, isLeftOut: IsLeftOut, reason: string): Adapted {
  const changes: Change[] = [];
  const messages = asArray(body.messages).flatMap((message, index): readonly unknown[] => {
    if (!isJsonObject(message) || message.role !== 'assistant') return [message];
    const content = asArray(message.content);
    const kept = content.filter((block) => !isLeftOut(block));
    const count = content.length - kept.length;
    if (count === 0) return [message];
    changes.push(
      stripped(`messages.${index}.content`, `${count} thinking ${count === 1 ? 'block' : 'blocks'}`, reason),
    );
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  });
  return changes.length === 0 ? { body, changes } : { body: { ...body, messages }, changes };
}

const isThinking = (block: unknown): boolean =>
  isJsonObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');

function isUnsigned(block: unknown): boolean {
  if (!isJsonObject(block)) return false;
  const { type, signature, data } = block;
  if (type === 'redacted_thinking') return typeof data === 'string' && isOwnSignature(data);
  if (type !== 'thinking') return false;
  return (
    signature == null || signature === '' || (typeof signature === 'string' && isOwnSignature(signature))
  );
}

/**
 * With a thinking budget, a tool loop must have begun with thinking: "Expected `thinking` or `redacted_thinking`, but found
 * `tool_use` … To avoid this requirement, disable `thinking`". One that another model began has none. Adaptive thinking has no
 * such requirement. Sources: anomalyco/opencode issue 3077; platform.claude.com, "Adaptive thinking", validation changes.
 */
function withoutUnthoughtLoop(body: JsonObject): Adapted {
  const { thinking } = body;
  if (!isJsonObject(thinking) || thinking.type !== 'enabled' || !isUnthoughtLoop(asArray(body.messages))) {
    return { body, changes: [] };
  }
  const reason =
    'Claude can continue a tool loop with a thinking budget only if the loop began with its thinking.';
  const off = { ...body, thinking: { type: 'disabled' } };
  const change = overridden('thinking', 'enabled', 'disabled', reason);
  const edited = withoutThinkingEdits(off);
  return { body: edited.body, changes: [change, ...edited.changes] };
}

/** Whether the conversation ends in a tool loop whose first assistant message does not begin with thinking. */
function isUnthoughtLoop(messages: readonly unknown[]): boolean {
  let index = messages.findLastIndex((message) => roleOf(message) === 'assistant');
  if (!hasBlock(messages[index], 'tool_use')) return false;
  for (let before = index - 1; before >= 0; before -= 1) {
    const message = messages[before];
    if (roleOf(message) === 'assistant') {
      if (!hasBlock(message, 'tool_use')) break;
      index = before;
    } else if (roleOf(message) === 'user' && !hasBlock(message, 'tool_result')) break;
  }
  return !isThinking(contentOf(messages[index])[0]);
}

/**
 * "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive", and Claude Code always asks for it.
 * Source: router-for-me/CLIProxyAPI issue 4784.
 */
function withoutThinkingEdits(body: JsonObject): Adapted {
  const { context_management: management, ...rest } = body;
  if (!isJsonObject(management)) return { body, changes: [] };
  const edits = asArray(management.edits);
  const kept = edits.filter((edit) => !isJsonObject(edit) || !/^clear_thinking_/.test(String(edit.type)));
  if (kept.length === edits.length) return { body, changes: [] };
  const change = stripped(
    'context_management.edits',
    'clear_thinking',
    'Anthropic clears earlier thinking only in requests that enable thinking, and this one does not.',
  );
  const edited = kept.length === 0 ? rest : { ...rest, context_management: { ...management, edits: kept } };
  return { body: edited, changes: [change] };
}

const roleOf = (message: unknown): unknown => (isJsonObject(message) ? message.role : undefined);
const contentOf = (message: unknown): readonly unknown[] =>
  isJsonObject(message) ? asArray(message.content) : [];

const hasBlock = (message: unknown, type: string): boolean =>
  contentOf(message).some((block) => isJsonObject(block) && block.type === type);
