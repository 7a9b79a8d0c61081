/** Reads documents: a PDF becomes a file, and texts become texts with their title. */

import { source } from '../../../../core/generation/original/source.ts';
import type { ContentPart } from '../../../../core/generation/request.ts';
import { leaveOutBlock } from '../history/other-block.ts';
import type { Notes } from '../notes.ts';
import type { DocumentBlock, ImageBlock, TextBlock } from './block-schema.ts';
import { isLink, markerOf, plainText, quoted, readImage, readText, readUrl } from './parts.ts';
import { mediaSource } from './sources.ts';

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function readDocument(block: DocumentBlock, path: string, notes: Notes): readonly ContentPart[] {
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
