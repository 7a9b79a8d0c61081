/** Reads a message of the user: the results of tools, which come first, and what else it shows. */

import { source } from '../../../../core/generation/original/source.ts';
import type { ContentPart, Message, ToolMessage } from '../../../../core/generation/request.ts';
import { leaveOutBlock } from '../history/other-block.ts';
import { type Notes, replace } from '../notes.ts';
import type { Block, ToolResultBlock } from './block-schema.ts';
import { markerOf, plainText } from './parts.ts';
import { readShown } from './read-content.ts';
import { messageSource, resultSource } from './sources.ts';

/** Blocks may be of other types, too. */
export type Content = string | readonly Block[] | null | undefined;

/** @throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function readUser(content: Content, path: string, notes: Notes): readonly Message[] {
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
