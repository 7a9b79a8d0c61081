/** Reads the thinking blocks of an assistant message as reasoning that goes back to the model that it came from. */
import { claudeFormat } from '../../../core/generation/reasoning-format.ts';
import type { AssistantMessage, ReasoningDetail } from '../../../core/generation/request.ts';
import { type Change, stripped } from '../../../normalization/rule.ts';
import { isOwnSignature, openSignature } from '../signature.ts';

type ReasoningBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string | null | undefined }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** A thinking block and its index in the content of its message. */
interface PlacedBlock {
  readonly block: ReasoningBlock;
  readonly position: number;
}

interface ReadReasoning extends Pick<AssistantMessage, 'reasoning' | 'reasoningDetails'> {
  /** Blocks whose signature looks like the gateway's and cannot be read. */
  readonly leftOut: readonly Change[];
}

interface Found {
  readonly details: ReasoningDetail[];
  /** Readable reasoning without details. */
  readonly texts: string[];
  readonly leftOut: Change[];
}

/** `path`: the caller's path of the message's content. */
export function readReasoning(blocks: readonly PlacedBlock[], path: string): ReadReasoning {
  const found: Found = { details: [], texts: [], leftOut: [] };
  for (const placed of blocks) readBlock(placed, `${path}.${placed.position}`, found);
  const { details, leftOut } = found;
  // Beside details it only repeats them in readable form.
  const reasoning = details.length === 0 ? found.texts.join('\n\n') : '';
  return { reasoningDetails: details, leftOut, ...(reasoning !== '' && { reasoning }) };
}

function readBlock({ block, position }: PlacedBlock, path: string, found: Found): void {
  const signature = (block.type === 'thinking' ? block.signature : block.data) ?? '';
  if (!isOwnSignature(signature)) {
    readClaudes(block, signature, position, found);
    return;
  }
  const encoded = openSignature(signature);
  if (!encoded) {
    found.leftOut.push(unreadable(path, block.type));
    return;
  }
  const { details, model, format, unseen } = encoded;
  found.details.push(...details.map((detail) => ({ ...detail, model, position })));
  if (details.length > 0) return;
  const shown = block.type === 'thinking' ? block.thinking : '';
  const text = unseen ?? shown;
  if (text !== '') {
    found.details.push({ type: 'reasoning.text', text, format, index: position, model, position });
  }
}

/** What the gateway did not sign is taken as Claude's own. Without a signature it is a text of any model. */
function readClaudes(
  block: ReasoningBlock,
  signature: string,
  position: number,
  { details, texts }: Found,
): void {
  const place = { format: claudeFormat, index: position, position };
  if (block.type === 'redacted_thinking') {
    details.push({ type: 'reasoning.encrypted', data: block.data, ...place });
  } else if (signature !== '') {
    details.push({ type: 'reasoning.text', text: block.thinking, signature, ...place });
  } else if (block.thinking !== '') texts.push(block.thinking);
}

function unreadable(param: string, type: string): Change {
  const reason = 'This gateway did not issue the signature of the block, so the block was left out.';
  return stripped(param, { type }, reason);
}
