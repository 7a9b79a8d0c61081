/**
 * Steps of a model with a tool that Google runs, beside functions of the caller: a call or its result, each with a signature.
 * They go back as they are: "return all parts", with the ids and signatures. Source: ai.google.dev, "Combine built-in tools
 * and function calling".
 */

import { asObject, isJsonObject, withoutUndefined } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { geminiStepFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject, Message, ReasoningDetail } from '../../core/generation/request.ts';
import { asText } from '../json.ts';
import type * as wire from './wire.ts';

export const isStepPart = ({ toolCall, toolResponse }: wire.Part): boolean =>
  toolCall !== undefined || toolResponse !== undefined;

export const isSearchCall = ({ toolCall }: wire.Part): boolean =>
  asText(asObject<wire.HostedCall>(toolCall).toolType).startsWith('GOOGLE_SEARCH');

/** A step as a detail, at `index` among the pieces of its message. */
export function toDetail(part: wire.Part, index: number): ReasoningDetail {
  const data = JSON.stringify(stepOf(part));
  return { type: 'reasoning.encrypted', data, format: geminiStepFormat, index };
}

/** The step that a detail holds; undefined for any other detail. */
export function readStep(detail: ReasoningDetail): JsonObject | undefined {
  if (detail.type !== 'reasoning.encrypted' || detail.format !== geminiStepFormat) return undefined;
  const part = parseJson(detail.data);
  return isJsonObject(part) && isStepPart(part) ? stepOf(part) : undefined;
}

export const hasSteps = (message: Message): boolean =>
  message.role === 'assistant' && message.reasoningDetails.some((detail) => readStep(detail) !== undefined);

function stepOf({ toolCall, toolResponse, thoughtSignature }: wire.Part): JsonObject {
  return withoutUndefined({ toolCall, toolResponse, thoughtSignature });
}
