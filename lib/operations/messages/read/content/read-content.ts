/** Reads the blocks that a model is shown: texts, images, documents, search results. */
import type { ContentPart, TextPart } from '../../../../core/generation/request.ts';
import type { CacheMarker } from '../history/open-variants.ts';
import { leaveOutBlock } from '../history/other-block.ts';
import { leaveOut, type Notes, refuse } from '../notes.ts';
import type { ToolBody } from '../tools/tool-schema.ts';
import type { Block, CompactionBlock, ToolAddition } from './block-schema.ts';
import { markerOf, plainText, quoted, readImage, readText } from './parts.ts';
import { readDocument } from './read-document.ts';

/**
 * What targets of other protocols are shown of a block: nothing of one that they do not have, which is noted.
 *
 * @throws GatewayError `invalid_request` for a file that is stored at Anthropic.
 */
export function readShown(block: Block, path: string, notes: Notes): readonly ContentPart[] {
  switch (block.type) {
    case 'text':
      return [readText(block, path)];
    case 'image':
      return readImage(block, path, notes);
    case 'document':
      return readDocument(block, path, notes);
    case 'search_result': {
      const texts = block.content.map(({ text }) => text).join('\n');
      const head = `<search_result source="${quoted(block.source)}" title="${quoted(block.title)}">`;
      return [marked(block, `${head}\n${texts}\n</search_result>`, path)];
    }
    // The client has loaded a tool that the model looked for: its definition is offered.
    case 'tool_reference':
      notes.loaded.add(block.tool_name);
      return [marked(block, `The tool ${block.tool_name} is available now.`, path)];
    case 'tool_addition':
      addTool(block, path, notes);
      return [];
    case 'compaction':
      return readSummary(block, path, notes);
    default:
      return leaveOutBlock(block, path, notes);
  }
}

/** One without a text has failed, and Anthropic ignores it. Source: BetaCompactionBlockParam of @anthropic-ai/sdk 1.12. */
function readSummary(block: CompactionBlock, path: string, notes: Notes): readonly ContentPart[] {
  const { content, encrypted_content: encrypted } = block;
  if (content == null && encrypted != null) refuse(notes, path, 'is a summary that only Anthropic can read');
  else if (content == null) leaveOut(notes, path, { type: block.type });
  else if (encrypted != null) leaveOut(notes, `${path}.encrypted_content`, 'a text');
  return content == null ? [] : [marked(block, content, path)];
}

function addTool({ tool }: ToolAddition, path: string, notes: Notes): void {
  if (tool.type === 'tool_reference') notes.loaded.add(`${tool.name}`);
  else if (tool.type === 'tool_definition') {
    notes.added.push({ body: tool.definition as ToolBody, path: `${path}.tool.definition` });
  } else leaveOut(notes, path, { type: 'tool_addition' });
}

function marked(block: { readonly cache_control?: CacheMarker }, text: string, path: string): TextPart {
  return { ...plainText(text, path), ...markerOf(block) };
}
