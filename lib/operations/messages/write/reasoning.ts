/**
 * The reasoning of an answer as thinking blocks. Claude's own signatures are written as they came; all that other models need
 * back is encoded into one signature for each block.
 */
import { claudeFormat, geminiFormat } from '../../../core/generation/reasoning-format.ts';
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import { encodeToolCallId } from '../../../core/generation/tools/tool-call-id.ts';
import { encodeDetails } from '../signature.ts';

/** A piece of Claude's own, which is complete by itself. */
type OwnPiece =
  /**
   * It ends the open thinking block, or an empty one of its own. `unseen`: the text that the block still has to show: Claude
   * checks it with the signature.
   */
  | { readonly type: 'signed'; readonly signature: string; readonly unseen: string }
  | { readonly type: 'redacted'; readonly data: string };

interface ReasoningOptions {
  /** The model that answers, as the caller names it. */
  readonly model: string;
  /** Its provider, which alone takes text without details back. */
  readonly provider: string;
  /** True: readable reasoning is not shown, but goes back to the model all the same. */
  readonly hidden: boolean;
}

const separator = '\n\n';

export function createReasoning({ model, provider, hidden }: ReasoningOptions) {
  let details: ReasoningDetail[] = [];
  /** The text of the block that was not shown and that no detail has. */
  let unseen = '';
  let hasText = false;
  let isNewPart = false;
  const restart = () => {
    unseen = '';
    hasText = false;
    isNewPart = false;
  };
  return {
    /** What a thinking block shows of a piece of readable reasoning; empty: nothing. */
    text(text: string) {
      const shown = isNewPart && text !== '' ? separator + text : text;
      if (text !== '') {
        hasText = true;
        isNewPart = false;
      }
      if (!hidden) return shown;
      unseen += shown;
      return '';
    },
    /** Undefined for a detail that the next signature will hold. */
    detail(detail: ReasoningDetail) {
      if (detail.format === claudeFormat) {
        const own = ownPiece(detail, unseen);
        restart();
        return own;
      }
      details.push(detail.format === geminiFormat ? withEncodedId(detail) : detail);
      if (detail.type === 'reasoning.encrypted') return undefined;
      // Its text was already in the readable reasoning.
      unseen = '';
      isNewPart = hasText;
      return undefined;
    },
    /** Whether there is something that no signature holds yet. */
    isPending: () => details.length > 0 || unseen !== '',
    /** The signature of the thinking block that ends. */
    take() {
      const signature = encodeDetails({ model, format: provider, details, ...(unseen !== '' && { unseen }) });
      details = [];
      restart();
      return signature;
    },
  };
}

/** Undefined for a piece without its signature, which Claude does not take back. */
function ownPiece(detail: ReasoningDetail, unseen: string): OwnPiece | undefined {
  if (detail.type === 'reasoning.encrypted') return { type: 'redacted', data: detail.data };
  if (detail.type !== 'reasoning.text' || detail.signature === undefined) return undefined;
  return { type: 'signed', signature: detail.signature, unseen };
}

/** Gemini's names the call that it signs, which is written with such an id. */
function withEncodedId(detail: ReasoningDetail): ReasoningDetail {
  return detail.id === undefined ? detail : { ...detail, id: encodeToolCallId(detail.id) };
}
