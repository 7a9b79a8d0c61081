/**
 * What the Anthropic protocol refuses in `messages`: blocks that are empty or unknown, calls without their results,
 * thinking that is not its own.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { isSealed } from '../signature.ts';
import { refuse } from './refuse.ts';

const userBlocks = new Set(['text', 'image', 'document', 'tool_result']);
const assistantBlocks = new Set(
  'text tool_use thinking redacted_thinking server_tool_use web_search_tool_result'.split(' '),
);
const mediaTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** `endsWithUser`: whether the model refuses to continue an answer that was begun for it. */
export function checkMessages(messages: readonly JsonObject[], endsWithUser: boolean): void {
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`);
  if (messages[0]?.role !== 'user') refuse('messages: first message must use the "user" role');
  // From before the first message on: that one may hold no results at all.
  for (let index = -1; index < messages.length; index++)
    checkPair(messages[index], messages[index + 1], index);
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  if (endsWithUser) refuse('This model does not support assistant message prefill.');
  if (/\s$/.test(lastText(last)))
    refuse('messages: final assistant content cannot end with trailing whitespace');
}

function checkMessage(message: JsonObject, path: string): void {
  const role = textOf(message.role);
  if (role !== 'user' && role !== 'assistant') refuse(`${path}.role: Input should be 'user' or 'assistant'`);
  if (typeof message.content === 'string') {
    checkText(message.content, path);
    return;
  }
  const blocks = objectsOf(message.content);
  if (blocks.length === 0) refuse(`${path}: all messages must have non-empty content`);
  const known = role === 'user' ? userBlocks : assistantBlocks;
  for (const [index, block] of blocks.entries()) {
    const blockPath = `${path}.content.${index}`;
    if (!known.has(textOf(block.type)))
      refuse(`${blockPath}: Input tag '${textOf(block.type)}' is not expected`);
    checkBlock(block, blockPath);
  }
  checkSearches(blocks, path);
}

/** The provider's own calls stand beside what they found. */
function checkSearches(blocks: readonly JsonObject[], path: string): void {
  const found = blocks.filter(({ type }) => type === 'web_search_tool_result');
  const ids = new Set(found.map(({ tool_use_id }) => textOf(tool_use_id)));
  const lost = blocks.find(({ type, id }) => type === 'server_tool_use' && !ids.has(textOf(id)));
  if (lost) {
    refuse(
      `${path}: \`web_search\` tool use with id \`${textOf(lost.id)}\` was found without a corresponding \`web_search_tool_result\` block`,
    );
  }
}

function checkBlock(block: JsonObject, path: string): void {
  if (block.type === 'text') checkText(textOf(block.text), path);
  if (block.type === 'image') checkImage(objectOf(block.source), path);
  if (block.type === 'document') checkDocument(objectOf(block.source), path);
  if (block.type === 'web_search_tool_result') checkFound(block, path);
  if (block.type === 'tool_use') checkCall(block, path);
  if (block.type === 'tool_result') for (const part of objectsOf(block.content)) checkBlock(part, path);
  if (block.type === 'thinking' && !isSealed(textOf(block.thinking), block.signature)) {
    refuse(`${path}: Invalid \`signature\` in \`thinking\` block`);
  }
}

function checkText(text: string, path: string): void {
  if (text === '') refuse('messages: text content blocks must be non-empty');
  if (text.trim() === '') refuse(`${path}: text content blocks must contain non-whitespace text`);
}

function checkImage(source: JsonObject, path: string): void {
  if (source.type === 'url' && /^https:/.test(textOf(source.url))) return;
  if (source.type !== 'base64') refuse(`${path}.image.source: only HTTPS URLs and base64 are supported`);
  if (!mediaTypes.has(textOf(source.media_type))) {
    refuse(
      `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  if (!/^[A-Za-z0-9+/]+=*$/.test(textOf(source.data)))
    refuse(`${path}.image.source.base64: invalid base64 data`);
}

function checkDocument(source: JsonObject, path: string): void {
  if (source.type === 'url' && /^https:/.test(textOf(source.url))) return;
  if (source.type !== 'base64') refuse(`${path}.document.source: only HTTPS URLs and base64 are supported`);
  if (source.media_type !== 'application/pdf') {
    refuse(`${path}.document.source.base64.media_type: Input should be 'application/pdf'`);
  }
  if (!/^[A-Za-z0-9+/]+=*$/.test(textOf(source.data))) {
    refuse(`${path}.document.source.base64.data: The PDF specified was not valid.`);
  }
}

/** Search results must be returned unchanged. */
function checkFound({ content }: JsonObject, path: string): void {
  const forged = objectsOf(content).find((found) => !isSealed(textOf(found.url), found.encrypted_content));
  if (forged) refuse(`${path}: Invalid \`encrypted_content\` in \`search_result\` block`);
}

function checkCall(block: JsonObject, path: string): void {
  if (!/^[a-zA-Z0-9_-]+$/.test(textOf(block.id))) {
    refuse(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (!isObject(block.input)) refuse(`${path}.tool_use.input: Input should be a valid dictionary`);
}

/** Every call is answered in the very next message, and every result answers a call of the message before. */
function checkPair(message: JsonObject | undefined, next: JsonObject | undefined, index: number): void {
  const calls = blocksOf(message, 'tool_use').map(({ id }) => textOf(id));
  const results = blocksOf(next, 'tool_result').map((one) => textOf(one.tool_use_id));
  const unanswered = calls.filter((id) => !results.includes(id));
  const orphans = results.filter((id) => !calls.includes(id));
  if (unanswered.length > 0) {
    refuse(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(', ')}.`,
    );
  }
  if (orphans.length > 0) {
    refuse(
      `messages.${index + 1}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphans.join(', ')}.`,
    );
  }
  checkResultsFirst(next, index + 1);
}

function checkResultsFirst(message: JsonObject | undefined, index: number): void {
  const types = objectsOf(message?.content).map(({ type }) => type);
  if (types.lastIndexOf('tool_result') >= types.filter((type) => type === 'tool_result').length) {
    refuse(`messages.${index}: \`tool_result\` blocks must come before other content`);
  }
}

function blocksOf(message: JsonObject | undefined, type: string): readonly JsonObject[] {
  return objectsOf(message?.content).filter((block) => block.type === type);
}

function lastText({ content }: JsonObject): string {
  return typeof content === 'string' ? content : textOf(objectsOf(content).at(-1)?.text);
}
