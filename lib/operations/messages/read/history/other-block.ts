/** Blocks that only targets of Anthropic's own protocol are shown. */
import type { ContentPart } from '../../../../core/generation/request.ts';
import type { OtherBlock } from '../content/block-schema.ts';
import { leaveOut, type Notes } from '../notes.ts';
import { checkStoredFiles } from './stored-references.ts';

/** Nothing, which is noted. Throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function leaveOutBlock(block: OtherBlock, path: string, notes: Notes): readonly ContentPart[] {
  checkStoredFiles(block, path);
  leaveOut(notes, path, { type: block.type });
  return [];
}
