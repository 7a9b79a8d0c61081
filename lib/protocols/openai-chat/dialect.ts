/**
 * How a host's manner of the OpenAI chat wire differs from OpenAI's own, as data. What all hosts share is written once
 * beside this file; what a host refuses is not here, but in the rules of its provider.
 */
import { createHash } from 'node:crypto';
import type { JsonObject, ParameterName, ReasoningEffort } from '../../core/generation/request.ts';
import type { ReasoningStyle, Target } from '../../core/model.ts';

/** Writes an effort as the fields of a host. */
export type WriteEffort = (effort: ReasoningEffort, target: Target) => JsonObject;

/** How a model's own reasoning goes back to its host. */
export interface Replay {
  /** A text field, the router's list of details, or a `<think>` block at the head of the content. */
  readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'think';
  /** What the details of the host's reasoning are called; where it names formats itself, those it takes. */
  readonly formats: readonly [string, ...string[]];
}

export interface Dialect {
  /** The host's own names of parameters. */
  readonly names?: Readonly<Partial<Record<ParameterName, string>>>;
  /** The role of system messages for models that reason; `system` where absent. */
  readonly reasonerSystemRole?: 'developer';
  /** How efforts are written, by the model's style; `reasoning_effort` where absent. */
  readonly efforts?: Readonly<Partial<Record<ReasoningStyle, WriteEffort>>>;
  /** Fields of every request. */
  readonly always?: JsonObject;
  /** Fields of every request to a model that reasons. */
  readonly forReasoners?: JsonObject;
  /** The host's word where a call is required. */
  readonly requiredToolChoice?: string;
  /** The host knows no `none`: without tools there are no calls. */
  readonly noneLeavesOutTools?: boolean;
  /** The host takes no response format beside tools. */
  readonly formatWithoutTools?: boolean;
  /** The host's functions have no `strict`. */
  readonly withoutStrictTools?: boolean;
  /** Tool ids as the host takes them. */
  readonly toToolId?: (id: string) => string;
  /** Marks an assistant message at the end as one to go on with. */
  readonly continued?: JsonObject;
  /** Several texts become one: not every host takes lists. */
  readonly joinsTexts?: boolean;
  /** Turns must alternate, so neighbours of one role are merged. */
  readonly mergesTurns?: boolean;
  /** The host takes caching markers. */
  readonly takesCacheControl?: boolean;
  /** The host tells usage at the end of every stream, and knows no `stream_options`. */
  readonly alwaysTellsUsage?: boolean;
  /** Absent: reasoning does not go back. */
  readonly replay?: Replay;
  /** Reasoning may stand in `<think>` tags at the head of the content. */
  readonly readsThinkTags?: boolean;
}

/** OpenAI's own. */
export const openaiDialect: Dialect = { reasonerSystemRole: 'developer' };

/** What is true of most other hosts. */
export const hostDialect: Dialect = { joinsTexts: true };

const isOn = (effort: ReasoningEffort): boolean => effort !== 'none';

/** One field of two values. */
export const switchedBy =
  (on: JsonObject, off: JsonObject): WriteEffort =>
  (effort) =>
    isOn(effort) ? on : off;

export const thinkingSwitch = switchedBy(
  { thinking: { type: 'enabled' } },
  { thinking: { type: 'disabled' } },
);

/** The switch, and how hard to think where it is on. */
export const thinkingWithEffort: WriteEffort = (effort, target) => ({
  ...thinkingSwitch(effort, target),
  ...(isOn(effort) && { reasoning_effort: effort }),
});

/** Ids of nine letters and digits; any other id gets a name that depends on nothing but itself. */
export function nineCharacters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}
