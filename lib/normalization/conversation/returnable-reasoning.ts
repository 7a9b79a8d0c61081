/** Which reasoning of its own provider family a protocol takes back. What it does not is stripped and recorded. */
import type { Target } from '../../core/catalog/model.ts';
import type { AssistantMessage, ReasoningDetail } from '../../core/generation/request.ts';
import type { MessageRule } from '../rule.ts';

type CanReturn = (detail: ReasoningDetail, message: AssistantMessage, target: Target) => boolean;

function onlyReturnable(canReturn: CanReturn, reason: string): MessageRule {
  return {
    reason,
    apply: (message, target) => {
      if (message.role !== 'assistant') return undefined;
      const kept = message.reasoningDetails.filter((detail) => canReturn(detail, message, target));
      const [before, after] = [message.reasoningDetails.length, kept.length];
      if (after === before) return undefined;
      const count = (pieces: number) => (pieces === 0 ? null : `${pieces} pieces`);
      return {
        message: { ...message, reasoningDetails: kept },
        field: 'reasoningDetails',
        before: count(before),
        after: count(after),
      };
    },
  };
}

/** Claude takes its own words back only with their signature. */
export const onlySignedReasoning: MessageRule = {
  ...onlyReturnable(
    (detail) =>
      detail.type === 'reasoning.encrypted' ||
      (detail.type === 'reasoning.text' && detail.signature !== undefined),
    'Reasoning can be returned only with its signature.',
  ),
  always: true,
};

/** The Responses protocol takes a reasoning item back only with its encrypted content. */
export const onlyEncryptedReasoning: MessageRule = onlyReturnable(
  ({ id }, { reasoningDetails }) =>
    reasoningDetails.some((detail) => detail.type === 'reasoning.encrypted' && detail.id === id),
  'Reasoning can be returned only with its encrypted content.',
);

/** OpenAI: "Reasoning input items can only be provided to a reasoning or computer use model." */
export const reasoningOfReasoners: MessageRule = onlyReturnable(
  (_detail, _message, { model }) => model.traits.reasoning !== undefined,
  'Reasoning can be returned only to a model that reasons.',
);

/** OpenAI: "Item 'rs_…' of type 'reasoning' was provided without its required following item". */
export const onlyFollowedReasoning: MessageRule = onlyReturnable(
  isFollowed,
  'Reasoning can be returned only together with the output that followed it.',
);

function isFollowed({ id, index, position }: ReasoningDetail, message: AssistantMessage): boolean {
  const { content, refusal, toolCalls, webSearches = [], items = [], reasoningDetails } = message;
  const said = content.filter(({ text }) => text !== '');
  const pieces = [...said, ...toolCalls, ...webSearches, ...items];
  if (position !== undefined) {
    return refusal !== undefined || pieces.some((piece) => (piece.position ?? Number.MAX_VALUE) > position);
  }
  // Without positions, an item begins after as many pieces as its index counts beside other reasoning.
  const own = reasoningDetails.filter((detail) => id !== undefined && detail.id === id);
  const start = Math.min(index, ...own.map((detail) => detail.index));
  const earlier = reasoningDetails.filter((detail) => detail.index < start);
  const thoughts = new Set(earlier.map((detail) => detail.id ?? detail.index)).size;
  const texts = said.length > 0 || refusal !== undefined ? 1 : 0;
  return start - thoughts < texts + toolCalls.length;
}

/** Gemini takes back signatures, each on its text or on its call. */
export const onlyPlacedSignatures: MessageRule = {
  ...onlyReturnable(
    ({ type, id }, { toolCalls }) =>
      type === 'reasoning.encrypted' && (id === undefined || toolCalls.some((call) => call.id === id)),
    'Only signatures can be returned, and those of tool calls only with the call.',
  ),
  always: true,
};

/**
 * Gemini may refuse the signatures of another of its models: "Corrupted thought signature". Calls without one are sent with
 * Google's own placeholder. Source: earendil-works/pi issue 6996, lbjlaq/Antigravity-Manager pull 3342.
 */
export const onlySignaturesOfModel: MessageRule = onlyReturnable(
  (detail, _message, { model }) => detail.model === undefined || detail.model === model.id,
  'Signatures can be returned only to the model that made them.',
);
