/**
 * What a target of another protocol than Anthropic's does not get of a request, noted while its body is read: what is left out, and
 * the first thing without which the request would lose its meaning. A target of Anthropic's protocol gets all of it.
 */
import type { GatewayError } from '../../../core/errors/errors.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import type { ContentPart } from '../../../core/generation/request.ts';
import { type Change, stripped } from '../../../normalization/rule.ts';
import type { OtherBlock } from './content/block-schema.ts';
import { checkStoredFiles } from './history/stored-references.ts';
import type { ToolBody } from './tools/tool-schema.ts';

export interface Notes {
  readonly changes: Change[];
  refused?: GatewayError;
  /** The names of the tools that the conversation loads or calls. */
  readonly loaded: Set<string>;
  /** The tools that messages define. */
  readonly added: { readonly body: ToolBody; readonly path: string }[];
}

export const newNotes = (): Notes => ({ changes: [], loaded: new Set(), added: [] });

/** The reason for what has no form at all in other protocols. */
export const onlyAnthropic = "Only Anthropic's own protocol has this.";

/** `before`: small, and never what was written in the conversation. */
export function leaveOut(notes: Notes, param: string, before: unknown, reason = onlyAnthropic): void {
  notes.changes.push(stripped(param, before, reason));
}

export function replace(
  notes: Notes,
  param: string,
  change: Pick<Change, 'before' | 'after' | 'reason'>,
): void {
  notes.changes.push({ param, action: 'override', ...change });
}

export function refuse(notes: Notes, param: string, problem: string): void {
  notes.refused ??= invalid(param, problem);
}

/** Nothing, which is noted. Throws GatewayError `invalid_request` for a file that is stored at Anthropic. */
export function leaveOutBlock(block: OtherBlock, path: string, notes: Notes): readonly ContentPart[] {
  checkStoredFiles(block, path);
  leaveOut(notes, path, { type: block.type });
  return [];
}
