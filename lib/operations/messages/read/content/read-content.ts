/** Reads the blocks that a model is shown: texts, images, documents, search results. */
import { source } from '../../../../core/generation/original/source.ts';
import type { ContentPart, TextPart } from '../../../../core/generation/request.ts';
import type { CacheMarker } from '../history/open-variants.ts';
import { leaveOut, leaveOutBlock, type Notes, refuse } from '../notes.ts';
import type { ToolBody } from '../tools/tool-schema.ts';
import type {
  Block,
  CompactionBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ToolAddition,
} from './block-schema.ts';
import { isLink, markerOf, plainText, quoted, readImage, readText, readUrl } from './parts.ts';
import { mediaSource } from './sources.ts';

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

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
function readDocument(block: DocumentBlock, path: string, notes: Notes): readonly ContentPart[] {
  const { source: from, title, context } = block;
  const marker = markerOf(block);
  if (from.type === 'text') {
    const text = `${headOf(block)}\n${from.data}\n</document>`;
    return [{ ...plainText(text, `${path}.source.data`), ...marker }];
  }
  if (from.type === 'content') {
    const inner = readInner(from.content as Inner, `${path}.source.content`, notes);
    return [plainText(headOf(block), path), ...inner, { ...plainText('</document>', path), ...marker }];
  }
  const url = readUrl(from, path, notes);
  if (url === undefined) return [];
  return [
    ...(context ? [plainText(`About the next document: ${context}`, `${path}.context`)] : []),
    {
      type: 'file',
      url,
      ...(title && { filename: /\.pdf$/i.test(title) ? title : `${title}.pdf` }),
      ...marker,
      [source]: mediaSource(path, isLink(from)),
    },
  ];
}

function headOf({ title, context }: DocumentBlock): string {
  const about = context ? `\n<context>${context}</context>` : '';
  return `<document${title ? ` title="${quoted(title)}"` : ''}>${about}`;
}

type Inner = string | readonly (TextBlock | ImageBlock)[];

function readInner(content: Inner, path: string, notes: Notes): readonly ContentPart[] {
  if (typeof content === 'string') return [plainText(content, path)];
  return content.flatMap((block, index) => {
    const at = `${path}.${index}`;
    if (block.type === 'text') return [readText(block, at)];
    return block.type === 'image' ? readImage(block, at, notes) : leaveOutBlock(block, at, notes);
  });
}
