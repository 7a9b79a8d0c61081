/** Reads the blocks that a model is shown: texts, images, documents, search results. */
import type { ContentPart, TextPart } from '../../../core/generation/request.ts';
import type { Block, ToolAddition } from './block-schema.ts';
import { leaveOut, type Notes, refuse } from './notes.ts';
import type { CacheMarker } from './open-form.ts';
import { leaveOutBlock } from './other-block.ts';
import { markerOf, plainText, quoted, readImage, readText } from './parts.ts';
import { readDocument } from './read-document.ts';
import type { ToolBody } from './tool-schema.ts';

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
      if (block.content != null) return [marked(block, block.content, path)];
      refuse(notes, path, 'is a summary that only Anthropic can read');
      return [];
    default:
      return leaveOutBlock(block, path, notes);
  }
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
