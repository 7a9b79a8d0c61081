/** Reads the conversation: the instructions, and the messages with those of the system among them. */

import { source } from '../../../core/generation/original/source.ts';
import type {
  AssistantMessage,
  AssistantText,
  ContentPart,
  Message,
  SystemMessage,
  ToolCall,
  ToolMessage,
} from '../../../core/generation/request.ts';
import { stripped } from '../../../normalization/rule.ts';
import type { Block, ThinkingBlock, ToolResultBlock, ToolUseBlock } from './content/block-schema.ts';
import { markerOf, plainText } from './content/parts.ts';
import { readShown } from './content/read-content.ts';
import { callSource, messageSource, resultSource } from './content/sources.ts';
import type { CacheMarker } from './history/open-variants.ts';
import { textOfServerTool } from './history/server-tool-history.ts';
import { leaveOut, leaveOutBlock, type Notes, replace } from './notes.ts';
import { readReasoning } from './read-reasoning.ts';
import type { MessagesBody } from './schema.ts';

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function readConversation(body: MessagesBody, notes: Notes): readonly Message[] {
  const { system, messages, cache_control: marker } = body;
  const conversation = [
    ...readSystem(system as Content, 'system', 'system', notes),
    ...messages.flatMap(({ role, content }, index) =>
      readMessage(role, content as Content, `messages.${index}`, notes),
    ),
  ];
  return marker ? markedAtEnd(conversation, marker) : conversation;
}

function readMessage(
  role: MessagesBody['messages'][number]['role'],
  content: Content,
  path: string,
  notes: Notes,
): readonly Message[] {
  if (role === 'user') return readUser(content, path, notes);
  if (role === 'assistant') return [readAssistant(content, path, notes)];
  return readSystem(content, path, `${path}.content`, notes);
}

/** Blocks stay in their order. Nothing for a message that only changes settings. */
function readSystem(content: Content, path: string, at: string, notes: Notes): readonly SystemMessage[] {
  const blocks: readonly Block[] = typeof content === 'string' ? [] : (content ?? []);
  const parts = blocks.flatMap((block, index) => {
    const from = `${at}.${index}`;
    // The schema has texts alone beside the messages.
    const read = at === 'system' && block.type !== 'text' ? leaveOutBlock : readShown;
    return read(block, from, notes).flatMap((part) => {
      if (part.type === 'text') return [part];
      leaveOut(notes, from, { type: block.type });
      return [];
    });
  });
  const texts = typeof content === 'string' && content !== '' ? [plainText(content, at)] : parts;
  return texts.length > 0 ? [{ role: 'system', content: texts, [source]: messageSource(path) }] : [];
}

/** The marker of a whole request is one at its end. */
function markedAtEnd(messages: readonly Message[], marker: NonNullable<CacheMarker>): readonly Message[] {
  const last = messages.at(-1);
  if (!last || last.cacheControl) return messages;
  const { path = 'messages' } = last[source] ?? {};
  const from = { path, fields: {}, elsewhere: { cacheControl: 'cache_control' } };
  return messages.with(-1, { ...last, ...markerOf({ cache_control: marker }), [source]: from });
}

function readAssistant(content: Content, path: string, notes: Notes): AssistantMessage {
  const from = { [source]: messageSource(path) };
  const role = 'assistant';
  if (content == null || typeof content === 'string') {
    const texts = content ? [{ ...plainText(content, `${path}.content`), position: 0 }] : [];
    return { role, content: texts, toolCalls: [], reasoningDetails: [], ...from };
  }
  const texts: AssistantText[] = [];
  const toolCalls: ToolCall[] = [];
  const thinking: { readonly block: ThinkingBlock; readonly position: number }[] = [];
  for (const [position, block] of content.entries()) {
    const at = `${path}.content.${position}`;
    if (block.type === 'tool_use') {
      toolCalls.push(readCall(block, at, position));
      notes.loaded.add(block.name);
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking')
      thinking.push({ block, position });
    else texts.push(...readTexts(block, at, notes).map((text) => ({ ...text, position })));
  }
  const { leftOut, ...reasoning } = readReasoning(thinking, `${path}.content`);
  notes.changes.push(...leftOut);
  return { role, content: texts, toolCalls, ...reasoning, ...from };
}

function readCall(block: ToolUseBlock, path: string, position: number): ToolCall {
  const { id, name, input } = block;
  const call = { id, name, arguments: JSON.stringify(input), position };
  return { ...call, ...markerOf(block), [source]: callSource(path) };
}

/** An assistant message of other protocols has no images and no documents: what of them is not text is noted. */
function readTexts(block: Block, path: string, notes: Notes): readonly AssistantText[] {
  const text = textOfServerTool(block, path);
  if (text !== undefined) {
    const reason = "Only Anthropic's own protocol has this block. Its text is sent.";
    replace(notes, path, { before: { type: block.type }, after: { type: 'text' }, reason });
    return [plainText(text, path)];
  }
  return readShown(block, path, notes).flatMap((part) => {
    if (part.type === 'text') return [part];
    const reason = 'In other protocols, assistant messages hold no images or files.';
    notes.changes.push(stripped(path, { type: block.type }, reason));
    return [];
  });
}

/** Blocks may be of other types, too. */
type Content = string | readonly Block[] | null | undefined;

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
function readUser(content: Content, path: string, notes: Notes): readonly Message[] {
  const from = { [source]: messageSource(path) };
  if (content == null || typeof content === 'string') {
    return [{ role: 'user', content: [plainText(content ?? '', `${path}.content`)], ...from }];
  }
  const results = new Map<string, ToolMessage>();
  const parts: ContentPart[] = [];
  for (const [index, block] of content.entries()) {
    const at = `${path}.content.${index}`;
    if (block.type === 'tool_result') addResult(results, block, at, notes);
    else parts.push(...readShown(block, at, notes));
  }
  const said: readonly Message[] = parts.length > 0 ? [{ role: 'user', content: parts, ...from }] : [];
  return [...results.values(), ...said];
}

/** A call has one result: of several, one is made. Anthropic takes them, other providers do not. */
function addResult(
  results: Map<string, ToolMessage>,
  block: ToolResultBlock,
  path: string,
  notes: Notes,
): void {
  const { tool_use_id: toolCallId } = block;
  const result = readResult(block, path, notes);
  const first = results.get(toolCallId);
  if (first) {
    const reason =
      'Other providers take one result for each tool call, so the results of this call were joined.';
    replace(notes, path, { before: { type: block.type }, after: { type: 'text' }, reason });
    results.set(toolCallId, { ...first, content: [...first.content, ...result.content] });
  } else {
    results.set(toolCallId, result);
  }
}

function readResult(block: ToolResultBlock, path: string, notes: Notes): ToolMessage {
  const { tool_use_id: toolCallId, content } = block;
  const shown =
    content == null || typeof content === 'string'
      ? [plainText(content ?? '', `${path}.content`)]
      : (content as readonly Block[]).flatMap((one, index) =>
          (isForMessages(one) ? leaveOutBlock : readShown)(one, `${path}.content.${index}`, notes),
        );
  // A result without parts is an empty text: every protocol has texts, and few have nothing.
  const parts = shown.length > 0 ? shown : [plainText('', path)];
  return {
    role: 'tool',
    toolCallId,
    content: block.is_error ? [failed(path, notes), ...parts] : parts,
    ...markerOf(block),
    [source]: resultSource(path),
  };
}

/** The schema has them in messages alone, and not within results. */
const isForMessages = ({ type }: Block): boolean => type === 'compaction' || type === 'tool_addition';

/** No other protocol has a field for it. */
function failed(path: string, notes: Notes): ContentPart {
  const param = `${path}.is_error`;
  const reason = 'Other protocols have no field for failures of tools: a text stands before the result.';
  replace(notes, param, { before: true, after: { type: 'text' }, reason });
  return plainText('The tool failed:', param);
}
