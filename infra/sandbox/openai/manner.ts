/**
 * How a host of the OpenAI wire is played: what it refuses that OpenAI takes, and what it writes otherwise.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import type { ResponsesManner } from '../openai-responses/manner.ts';
import { refuse, refuseParameter } from './refuse.ts';

/** Where a host shows its reasoning: a field, a list of details, `<think>` tags in the text, or parts of the content. */
export type ReasoningPlace = 'reasoning_content' | 'reasoning' | 'details' | 'tags' | 'parts';

export interface Manner {
  /** As OpenAI itself: its own model ids, no field but its own. Imitators take what they do not know. */
  readonly strict: boolean;
  /** Absent: reasoning is not shown, as OpenAI's chat never does. */
  readonly reasoning?: ReasoningPlace;
  /** Fields that it refuses. */
  readonly refuses?: readonly string[];
  /** Ids of calls have nine characters, and others are refused. */
  readonly shortToolIds?: boolean;
  /** A thinking model wants the reasoning of turns with calls back, in this field. */
  readonly wantsBack?: string;
  /** Turns of user and assistant must alternate. */
  readonly alternates?: boolean;
  readonly alwaysTellsUsage?: boolean;
  /** How it speaks the Responses wire; absent: not at all. */
  readonly responses?: ResponsesManner;
  /** No key is needed. */
  readonly open?: boolean;
}

/** Whether a request asks for reasoning, in any of the manners there are. */
export function wantsToThink(body: JsonObject): boolean {
  const { reasoning_effort: effort, enable_thinking: enabled } = body;
  if (effort !== undefined) return effort !== 'none';
  const { type } = objectOf(body.thinking);
  if (type !== undefined) return type !== 'disabled';
  const reasoning = objectOf(body.reasoning);
  return enabled === true || reasoning.enabled === true || reasoning.effort !== undefined;
}

/** Refuses what the host does not take. */
export function checkManner(body: JsonObject, manner: Manner): void {
  for (const name of manner.refuses ?? []) if (name in body) refuseParameter(name);
  const messages = objectsOf(body.messages);
  const calls = messages.flatMap((message) => objectsOf(message.tool_calls));
  if (manner.shortToolIds && calls.some(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(textOf(id)))) {
    refuse('Tool call id has to be defined and must be a-z, A-Z, 0-9, with a length of 9.', 'messages');
  }
  if (manner.wantsBack !== undefined && wantsToThink(body)) checkReturned(messages, manner.wantsBack);
  if (manner.alternates) checkTurns(messages);
}

function checkReturned(messages: readonly JsonObject[], field: string): void {
  // A router takes the bare text as well.
  const fields = field === 'reasoning_details' ? [field, 'reasoning'] : [field];
  const lacking = messages.find(
    (message) => 'tool_calls' in message && !fields.some((name) => name in message),
  );
  if (lacking) refuse(`The \`${field}\` in the thinking mode must be passed back to the API.`, 'messages');
}

function checkTurns(messages: readonly JsonObject[]): void {
  const roles = messages.map(({ role }) => role);
  if (roles.some((role, index) => role === roles[index - 1])) {
    refuse(
      'After the (optional) system message(s), user and assistant roles should be alternating.',
      'messages',
    );
  }
}
