/** What the Bedrock protocol refuses in `messages`: roles out of turn, blank texts, results without their calls. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isObject, objectOf, objectsOf, textOf, words } from '../json.ts';
import { isSigned } from '../signature.ts';
import { refuse } from './refuse.ts';

const blockTypes = words(
  'text image document toolUse toolResult reasoningContent cachePoint guardContent video',
);

export function checkMessages(messages: readonly JsonObject[]): void {
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`);
  checkTurns(messages);
  // From before the first message on: that one may hold no results at all.
  for (let index = -1; index < messages.length; index++)
    checkPair(messages[index], messages[index + 1], index);
}

export function hasToolBlocks(messages: readonly JsonObject[]): boolean {
  return messages.some(
    (message) => blocksOf(message, 'toolUse').length + blocksOf(message, 'toolResult').length > 0,
  );
}

function checkMessage(message: JsonObject, path: string): void {
  if (!/^(user|assistant)$/.test(textOf(message.role))) {
    refuse(`1 validation error detected: Value at '${path}.role' must be one of user, assistant`);
  }
  const blocks = objectsOf(message.content);
  if (blocks.some((block) => 'document' in block)) checkDocuments(message, blocks, path);
  if (blocks.length === 0) refuse(`The content field in the Message object at ${path} is empty.`);
  for (const [index, block] of blocks.entries()) checkBlock(block, `${path}.content.${index}`);
}

function checkBlock(block: JsonObject, path: string): void {
  const types = blockTypes.filter((type) => type in block);
  if (types.length !== 1) refuse(`The ContentBlock object at ${path} must set one of the following keys.`);
  if ('text' in block) checkText(block, path);
  if ('image' in block) checkImage(objectOf(block.image), path);
  if ('document' in block) checkDocument(objectOf(block.document), path);
  if ('toolUse' in block) checkCall(objectOf(block.toolUse), path);
  if ('toolResult' in block) {
    for (const part of objectsOf(objectOf(block.toolResult).content))
      if ('text' in part) checkText(part, path);
  }
  if ('reasoningContent' in block) checkReasoning(objectOf(block.reasoningContent), path);
}

function checkText(block: JsonObject, path: string): void {
  if (textOf(block.text).trim() !== '') return;
  refuse(
    `The text field in the ContentBlock object at ${path} is blank. Add text to the text field, and try again.`,
  );
}

function checkImage({ format, source }: JsonObject, path: string): void {
  if (!/^(png|jpeg|gif|webp)$/.test(textOf(format)))
    refuse(`Value at '${path}.image.format' is not supported`);
  if (!/^[A-Za-z0-9+/]+=*$/.test(textOf(objectOf(source).bytes))) {
    refuse(`The image source at ${path} needs base64 bytes.`);
  }
}

/** A document comes from the user, beside a text, and no two have one name. */
function checkDocuments({ role }: JsonObject, blocks: readonly JsonObject[], path: string): void {
  const names = blocksOf({ content: blocks }, 'document').map(({ name }) => textOf(name));
  if (role !== 'user') refuse(`The document block at ${path} is only allowed in user messages.`);
  if (!blocks.some((block) => 'text' in block)) {
    refuse(`Add a text block to the message at ${path}: documents must come with a text prompt.`);
  }
  if (new Set(names).size < names.length) refuse(`Duplicate document names found at ${path}.`);
}

function checkDocument({ format, name, source }: JsonObject, path: string): void {
  if (!/^(pdf|csv|docx?|xlsx?|html|txt|md)$/.test(textOf(format)))
    refuse(`Value at '${path}.document.format' is not supported`);
  if (!/^(?! )(?!.* {2})[a-zA-Z0-9\s\-()[\]]{1,200}$/.test(textOf(name))) {
    refuse(
      "The file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.",
    );
  }
  if (!/^[A-Za-z0-9+/]+=*$/.test(textOf(objectOf(source).bytes))) {
    refuse(`The document source at ${path} needs base64 bytes.`);
  }
}

function checkCall({ toolUseId, name, input }: JsonObject, path: string): void {
  const valid = /^[a-zA-Z0-9_-]{1,64}$/;
  if (!valid.test(textOf(toolUseId)))
    refuse(`Value at '${path}.toolUse.toolUseId' failed to satisfy constraint`);
  if (!valid.test(textOf(name))) refuse(`Value at '${path}.toolUse.name' failed to satisfy constraint`);
  if (!isObject(input)) refuse(`The value at ${path}.toolUse.input must be a JSON object.`);
}

function checkReasoning({ reasoningText }: JsonObject, path: string): void {
  if (!isObject(reasoningText)) return;
  const { text, signature } = reasoningText;
  // Models without signatures take their text back as it is.
  if (signature === undefined || isSigned(textOf(text), signature)) return;
  refuse(`The model returned the following errors: ${path}: Invalid \`signature\` in \`thinking\` block`);
}

function checkTurns(messages: readonly JsonObject[]): void {
  if (messages[0]?.role !== 'user') {
    refuse(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  }
  if (messages.some((message, index) => message.role === messages[index + 1]?.role)) {
    refuse('A conversation must alternate between user and assistant roles.');
  }
}

function checkPair(message: JsonObject | undefined, next: JsonObject | undefined, index: number): void {
  const calls = blocksOf(message, 'toolUse').map(({ toolUseId }) => textOf(toolUseId));
  const results = blocksOf(next, 'toolResult').map(({ toolUseId }) => textOf(toolUseId));
  const path = `messages.${index + 1}.content`;
  const missing = calls.filter((id) => !results.includes(id));
  if (missing.length > 0)
    refuse(`Expected toolResult blocks at ${path} for the following Ids: ${missing.join(', ')}`);
  if (results.length > calls.length) {
    refuse(
      `The number of toolResult blocks at ${path} exceeds the number of toolUse blocks of previous turn.`,
    );
  }
}

function blocksOf(message: JsonObject | undefined, type: string): readonly JsonObject[] {
  return objectsOf(message?.content).flatMap((block) => (type in block ? [objectOf(block[type])] : []));
}
