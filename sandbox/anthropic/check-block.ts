/**
 * What the Anthropic protocol refuses in one block of a message. Sources: the block types in @anthropic-ai/sdk 1.12.0;
 * platform.claude.com, "Citations", "PDF support", "Images and vision", "Tool search tool".
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isObject, listOf, objectOf, objectsOf, textOf } from '../json.ts';
import { isSigned } from '../signature.ts';
import { refuse } from './refuse.ts';
import { isNewest, type Terms } from './terms.ts';

const both = 'text image document search_result'.split(' ');
const blocksOf: Readonly<Record<string, ReadonlySet<string>>> = {
  user: new Set([...both, 'tool_result', 'container_upload']),
  assistant: new Set([
    ...'text tool_use thinking redacted_thinking server_tool_use web_search_tool_result'.split(' '),
    ...'web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result'.split(' '),
    ...'text_editor_code_execution_tool_result tool_search_tool_result'.split(' '),
  ]),
  system: new Set(['text']),
  tool_result: new Set([...both, 'tool_reference', 'browser_state']),
};

/** The fields of common blocks. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source', 'transformations'],
  document: ['source', 'title', 'context', 'citations'],
  search_result: ['source', 'title', 'content', 'citations'],
  tool_use: ['id', 'name', 'input', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  tool_reference: ['tool_name'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  compaction: ['content', 'encrypted_content', 'signature', 'tool_changes'],
};

const mediaTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Where a block is, and what the request allows. */
interface BlockPlace {
  readonly within: string;
  readonly path: string;
  readonly terms: Terms;
  /** The names of the request's tools. */
  readonly tools: ReadonlySet<string>;
}

export function checkBlock(block: JsonObject, place: BlockPlace): void {
  const { within, path, terms } = place;
  const type = textOf(block.type);
  // Documents of the model's own were taken until 2026-10-21.
  const known =
    blocksOf[within]?.has(type) ||
    (within === 'assistant' && type === 'document') ||
    // Source: BetaContentBlockParam of @anthropic-ai/sdk 1.12, "compact-2026-01-12" and "compact-2026-09-04".
    (within === 'assistant' && type === 'compaction' && terms.has('compact-'));
  if (!known || (within === 'assistant' && type === 'document' && isNewest(terms))) {
    refuse(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  }
  checkBlockFields(block, type, path);
  if (type === 'text') checkTextBlock(block, place);
  if (type === 'image') checkImage(objectOf(block.source), place);
  if (type === 'document') checkDocument(objectOf(block.source), place);
  if (type === 'web_search_tool_result') checkFound(block, path);
  if (type === 'tool_use') checkCall(block, path);
  if (type === 'tool_result') checkResult(block, place);
  if (type === 'tool_reference' && !place.tools.has(textOf(block.tool_name))) {
    refuse(`${path}: Tool reference '${textOf(block.tool_name)}' not found in available tools`);
  }
  if (type === 'thinking' && textOf(block.signature) === '') {
    refuse(`${path}.thinking.signature: Field required`);
  }
  if (type === 'thinking' && !isSigned(textOf(block.thinking), block.signature)) {
    refuse(`${path}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (type === 'redacted_thinking' && textOf(block.data) === '') refuse(`${path}.data: Field required`);
}

function checkBlockFields(block: JsonObject, type: string, path: string): void {
  const fields = fieldsOf[type];
  const odd = Object.keys(block).find(
    (name) => !['type', 'cache_control', ...(fields ?? [name])].includes(name),
  );
  if (odd !== undefined) refuse(`${path}.${type}.${odd}: Extra inputs are not permitted`);
}

function checkTextBlock({ text, citations }: JsonObject, { within, path, terms }: BlockPlace): void {
  checkText(textOf(text), path);
  // Source: platform.claude.com, "Migrating to 2026-10-21".
  if (within !== 'assistant' && listOf(citations).length > 0 && isNewest(terms)) {
    refuse(`${path}.text.citations: Extra inputs are not permitted`);
  }
}

export function checkText(text: string, path: string): void {
  if (text === '') refuse('messages: text content blocks must be non-empty');
  if (text.trim() === '') refuse(`${path}: text content blocks must contain non-whitespace text`);
}

function checkImage(source: JsonObject, { path, terms }: BlockPlace): void {
  if (source.type === 'url' && /^https:/.test(textOf(source.url))) return;
  if (isFile(source, `${path}.image`, terms)) return;
  if (source.type !== 'base64') refuse(`${path}.image.source: only HTTPS URLs and base64 are supported`);
  if (!mediaTypes.has(textOf(source.media_type))) {
    refuse(
      `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  if (!isBase64(source.data)) refuse(`${path}.image.source.base64: invalid base64 data`);
}

function checkDocument(source: JsonObject, place: BlockPlace): void {
  const { path, terms } = place;
  if (source.type === 'url' && /^https:/.test(textOf(source.url))) return;
  if (isFile(source, `${path}.document`, terms)) return;
  if (source.type === 'text') {
    if (source.media_type !== 'text/plain') {
      refuse(`${path}.document.source.text.media_type: Input should be 'text/plain'`);
    }
    if (textOf(source.data) === '') refuse(`${path}.document.source.text.data: Field required`);
    return;
  }
  if (source.type === 'content') {
    for (const [index, part] of objectsOf(source.content).entries()) {
      checkBlock(part, { ...place, within: 'tool_result', path: `${path}.document.source.content.${index}` });
    }
    return;
  }
  if (source.type !== 'base64') refuse(`${path}.document.source: only HTTPS URLs and base64 are supported`);
  if (source.media_type !== 'application/pdf') {
    refuse(`${path}.document.source.base64.media_type: Input should be 'application/pdf'`);
  }
  if (!isBase64(source.data)) {
    refuse(`${path}.document.source.base64.data: The PDF specified was not valid.`);
  }
}

/** Files of the account need their beta. */
function isFile({ type, file_id }: JsonObject, path: string, terms: Terms): boolean {
  if (type !== 'file') return false;
  if (!terms.has('files-api-')) refuse(`${path}.source: Input tag 'file' is not expected`);
  return refuse(`${path}.source: File not found: ${textOf(file_id)}`, 404, 'not_found_error');
}

const isBase64 = (data: unknown): boolean => /^[A-Za-z0-9+/]+=*$/.test(textOf(data));

/** Search results must be returned unchanged. */
function checkFound({ content }: JsonObject, path: string): void {
  const forged = objectsOf(content).find((found) => !isSigned(textOf(found.url), found.encrypted_content));
  if (forged) refuse(`${path}: Invalid \`encrypted_content\` in \`search_result\` block`);
}

function checkCall(block: JsonObject, path: string): void {
  if (!/^[a-zA-Z0-9_-]+$/.test(textOf(block.id))) {
    refuse(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (!isObject(block.input)) refuse(`${path}.tool_use.input: Input should be a valid dictionary`);
}

function checkResult(block: JsonObject, place: BlockPlace): void {
  const { path } = place;
  if (!/^[a-zA-Z0-9_-]+$/.test(textOf(block.tool_use_id))) {
    refuse(`${path}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  for (const [index, part] of objectsOf(block.content).entries()) {
    checkBlock(part, { ...place, within: 'tool_result', path: `${path}.tool_result.content.${index}` });
  }
}
