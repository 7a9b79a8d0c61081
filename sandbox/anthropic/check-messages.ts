/**
 * What the Anthropic protocol refuses in `messages`: their roles and order, calls without their results, documents that cite
 * beside documents that do not. Single blocks: `check-block.ts`.
 *
 * Sources: platform.claude.com, "Using the Messages API" (turns of one role in a row are one), "Mid-conversation system
 * messages", "Citations"; BerriAI/litellm issue 16711 (one result for each call), anthropics/claude-code issue 20631 (an id for
 * each call of the conversation).
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, objectOf, objectsOf, textOf } from '../json.ts';
import { checkBlock, checkText } from './check-block.ts';
import { refuse } from './refuse.ts';
import type { Terms } from './terms.ts';

interface MessageTerms {
  readonly terms: Terms;
  /** Whether the model refuses to continue an answer that was begun for it. */
  readonly endsWithUser: boolean;
  /** Whether the model takes instructions between turns. */
  readonly takesSystem: boolean;
  /** The names of the request's tools. */
  readonly tools: ReadonlySet<string>;
}

export function checkMessages(messages: readonly JsonObject[], allowed: MessageTerms): void {
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`, allowed);
  // The assistant may begin. Source: pydantic-ai's recording test_anthropic_model_empty_message_on_history.
  if (messages[0]?.role === 'system') refuse('messages: first message must use the "user" role');
  for (const [index, { role }] of messages.entries()) {
    if (role === 'system') checkInstructions(messages, index);
  }
  checkIds(messages);
  const turns = turnsOf(messages);
  // From before the first turn on: that one may hold no results at all.
  for (let index = -1; index < turns.length; index++) checkPair(turns[index], turns[index + 1]);
  checkCitations(messages);
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  if (allowed.endsWithUser) refuse('This model does not support assistant message prefill.');
  if (/\s$/.test(lastText(last)))
    refuse('messages: final assistant content cannot end with trailing whitespace');
  const { type } = objectsOf(last.content).at(-1) ?? {};
  if (type === 'thinking' || type === 'redacted_thinking') {
    refuse(
      `messages.${messages.length - 1}: The final block in an assistant message cannot be \`thinking\`.`,
    );
  }
}

function checkMessage(message: JsonObject, path: string, { terms, takesSystem, tools }: MessageTerms): void {
  const role = textOf(message.role);
  if (role !== 'user' && role !== 'assistant' && !(role === 'system' && takesSystem)) {
    refuse(`${path}.role: Input should be 'user' or 'assistant'`);
  }
  const perTurn = terms.has('per-turn-control-') || terms.has('mid-conversation-output-config-');
  const known = new Set(['role', 'content', ...(perTurn ? ['output_config'] : [])]);
  checkKeys(message, known, (odd) => refuse(`${path}.${odd}: Extra inputs are not permitted`));
  if (typeof message.content === 'string') {
    checkText(message.content, path);
    return;
  }
  const blocks = objectsOf(message.content);
  if (blocks.length === 0) refuse(`${path}: all messages must have non-empty content`);
  for (const [index, block] of blocks.entries()) {
    checkBlock(block, { within: role, path: `${path}.content.${index}`, terms, tools });
  }
  checkSearches(blocks, path);
}

function checkIds(messages: readonly JsonObject[]): void {
  const ids = new Set<string>();
  for (const [index, { content }] of messages.entries()) {
    for (const [at, { type, id }] of objectsOf(content).entries()) {
      if (type !== 'tool_use') continue;
      const path = `messages.${index}.content.${at}`;
      if (ids.has(textOf(id))) refuse(`${path}: \`tool_use\` ids must be unique`);
      ids.add(textOf(id));
    }
  }
}

/** After what the user said, and before an answer or at the end. */
function checkInstructions(messages: readonly JsonObject[], index: number): void {
  const before = messages[index - 1];
  const next = messages[index + 1];
  const afterServerTool = textOf(objectsOf(before?.content).at(-1)?.type).endsWith('_tool_result');
  if (before?.role !== 'user' && !afterServerTool) {
    refuse(`messages.${index}: a system message must follow a user message`);
  }
  if (next !== undefined && next.role !== 'assistant') {
    refuse(`messages.${index}: a system message must be last or precede an assistant message`);
  }
}

/**
 * The provider's own calls stand beside what they found. One beside calls of tools runs when these have their results. Source:
 * pydantic-ai's recording test_in_flight_native_tool_call_history_is_accepted.
 */
function checkSearches(blocks: readonly JsonObject[], path: string): void {
  if (blocks.some(({ type }) => type === 'tool_use')) return;
  const found = blocks.filter(({ type }) => type === 'web_search_tool_result');
  const ids = new Set(found.map(({ tool_use_id }) => textOf(tool_use_id)));
  const lost = blocks.find(
    ({ type, name, id }) => type === 'server_tool_use' && name === 'web_search' && !ids.has(textOf(id)),
  );
  if (lost) {
    refuse(
      `${path}: \`web_search\` tool use with id \`${textOf(lost.id)}\` was found without a corresponding \`web_search_tool_result\` block`,
    );
  }
}

/** Messages of one role in a row, as the provider joins them. Instructions in between are no turn. */
interface JoinedTurn {
  readonly role: unknown;
  /** The index of its first message. */
  readonly index: number;
  readonly blocks: readonly JsonObject[];
}

function turnsOf(messages: readonly JsonObject[]): readonly JoinedTurn[] {
  const turns: JoinedTurn[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
    const last = turns.at(-1);
    if (last && last.role === role)
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else turns.push({ role, index, blocks });
  }
  return turns;
}

/** Every call is answered once in the very next turn, and every result answers a call of the turn before. */
function checkPair(turn: JoinedTurn | undefined, next: JoinedTurn | undefined): void {
  const calls = ofType(turn, 'tool_use').map(({ id }) => textOf(id));
  const results = ofType(next, 'tool_result').map((one) => textOf(one.tool_use_id));
  const unanswered = calls.filter((id) => !results.includes(id));
  const orphans = results.filter((id) => !calls.includes(id));
  const twice = results.find((id, index) => results.indexOf(id) !== index);
  if (unanswered.length > 0) {
    refuse(
      `messages.${turn?.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(', ')}.`,
    );
  }
  if (orphans.length > 0) {
    refuse(
      `messages.${next?.index}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphans.join(', ')}.`,
    );
  }
  if (twice !== undefined) {
    refuse(
      `messages.${next?.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
    );
  }
  const types = next?.blocks.map(({ type }) => type) ?? [];
  if (types.lastIndexOf('tool_result') >= types.filter((type) => type === 'tool_result').length) {
    refuse(`messages.${next?.index}: \`tool_result\` blocks must come before other content`);
  }
}

const ofType = (turn: JoinedTurn | undefined, type: string): readonly JsonObject[] =>
  turn?.blocks.filter((block) => block.type === type) ?? [];

/** All documents of a request cite, or none does. */
function checkCitations(messages: readonly JsonObject[]): void {
  const documents = messages
    .flatMap(({ content }) => objectsOf(content))
    .filter(({ type }) => type === 'document' || type === 'search_result');
  const cites = new Set(documents.map(({ citations }) => objectOf(citations).enabled === true));
  if (cites.size > 1) refuse('citations: must be enabled for all documents or for none');
}

function lastText({ content }: JsonObject): string {
  return typeof content === 'string' ? content : textOf(objectsOf(content).at(-1)?.text);
}
