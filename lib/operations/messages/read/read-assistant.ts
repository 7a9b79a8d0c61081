/** Reads a message of the assistant. The position of everything in it is that of its block. */

import { source } from '../../../core/generation/original/source.ts';
import type { AssistantMessage, AssistantText, ToolCall } from '../../../core/generation/request.ts';
import type { Block, ThinkingBlock, ToolUseBlock } from './content/block-schema.ts';
import { markerOf, plainText } from './content/parts.ts';
import { readShown } from './content/read-content.ts';
import type { Content } from './content/read-user.ts';
import { callSource, messageSource } from './content/sources.ts';
import { textOfServerTool } from './history/server-tool-history.ts';
import { type Notes, replace } from './notes.ts';
import { readReasoning } from './read-reasoning.ts';

export function readAssistant(content: Content, path: string, notes: Notes): AssistantMessage {
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
    notes.changes.push({ param: path, action: 'strip', before: { type: block.type }, after: null, reason });
    return [];
  });
}
