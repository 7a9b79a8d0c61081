/**
 * An assistant message as the parts of a model turn: texts and calls in their original order, and thought signatures on
 * exactly the parts they came with.
 */

import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { AssistantMessage, ReasoningDetail, ToolCall } from '../../core/generation/request.ts';
import { inOrder, type PositionedBlock, readArguments } from '../turns.ts';
import { hasSteps, readStep } from './steps.ts';
import type { FunctionCall, Part } from './wire.ts';

/** Google's documented placeholder for the signature of a call that this model did not make. */
const noSignature = 'skip_thought_signature_validator';

type Signature = Extract<ReasoningDetail, { type: 'reasoning.encrypted' }>;

/** A part, or a signature that belongs to the text before it. */
type Step = { readonly part: Part; readonly isText: boolean } | { readonly signature: string };

interface ModelTurnOptions {
  /** The model rejects a first call without a signature. */
  readonly needsSignature: boolean;
  /** Calls are sent with their ids. */
  readonly withIds: boolean;
}

export function encodeAssistant(
  message: AssistantMessage,
  { needsSignature, withIds }: ModelTurnOptions,
): Part[] {
  const signatures = message.reasoningDetails.flatMap((detail): Signature[] =>
    detail.type === 'reasoning.encrypted' && detail.format === geminiFormat ? [detail] : [],
  );
  const ofCalls = new Map(signatures.flatMap(({ id, data }) => (id === undefined ? [] : [[id, data]])));
  const isForeign = needsSignature && !message.toolCalls.some(({ id }) => ofCalls.has(id));
  const calls = message.toolCalls.map((call, order) => {
    const signature = ofCalls.get(call.id) ?? (isForeign && order === 0 ? noSignature : undefined);
    const part = withSignature(encodeCall(call, withIds), signature);
    return { position: call.position, blocks: [{ part, isText: false }] };
  });
  const texts = textsOf(message).map(({ text, position }) => {
    return { position, blocks: [{ part: { text }, isText: true }] };
  });
  // Without positions, all texts are one, followed by the signatures of texts.
  const afterTexts = texts.length === 0 ? 0 : 1;
  const withSteps = hasSteps(message);
  const placed = message.reasoningDetails.flatMap((detail): PositionedBlock<Step>[] => {
    const { position, index, id } = detail;
    const part = readStep(detail);
    if (part) return [{ position: position ?? index, block: { part, isText: false } }];
    if (id !== undefined || detail.type !== 'reasoning.encrypted' || detail.format !== geminiFormat)
      return [];
    const place = withSteps ? Math.max(index, afterTexts) : afterTexts;
    return [{ position: position ?? place, block: { signature: detail.data } }];
  });
  return sign(inOrder<Step>(placed, texts, calls));
}

/** Clients of streams send an empty text beside calls; it would move the steps, and Vertex refuses it. */
function textsOf({ content, refusal }: AssistantMessage): readonly { text: string; position?: number }[] {
  const texts = content.filter(({ text }) => text !== '');
  return refusal === undefined ? texts : [...texts, { text: refusal }];
}

/**
 * The last of the signatures after a text is set on it. The others get an empty part each, and so does a signature without
 * a text before it. Parts are never merged.
 */
function sign(steps: readonly Step[]): Part[] {
  const parts: Part[] = [];
  let text: Part | undefined;
  for (const step of steps) {
    if ('part' in step) {
      parts.push(step.part);
      text = step.isText ? step.part : undefined;
      continue;
    }
    const signed = parts.at(-1)?.thoughtSignature;
    if (text === undefined) parts.push(withSignature({ text: '' }, step.signature));
    else {
      const earlier = typeof signed === 'string' ? [withSignature({ text: '' }, signed)] : [];
      parts.splice(-1, 1, ...earlier, withSignature(text, step.signature));
    }
  }
  return parts;
}

/** Without ids, Google matches calls and results by name and order. */
function encodeCall(call: ToolCall, withIds: boolean): Part {
  const made: FunctionCall = { name: call.name, args: readArguments(call) };
  return { functionCall: withIds ? { id: call.id, ...made } : made };
}

function withSignature(part: Part, thoughtSignature: string | undefined): Part {
  return thoughtSignature === undefined ? part : { ...part, thoughtSignature };
}
