/**
 * How a host's variant of the OpenAI chat protocol differs from OpenAI's own, as data. What all hosts share is code beside
 * this file. What a host does not support is not here, but in its row of the host table.
 */
import { createHash } from 'node:crypto';
import type { ReasoningStyle } from '../../core/catalog/model.ts';
import type { NativeFields } from '../../core/generation/original/native-fields.ts';
import type { JsonObject, ParameterName, ReasoningEffort } from '../../core/generation/request.ts';
import type { UpstreamKind } from '../failure.ts';

/** How efforts are written as fields of a host. */
interface EffortFields {
  /** For every effort but `none`. */
  readonly on?: JsonObject;
  /** For the effort `none`. */
  readonly off?: JsonObject;
  /** The field for the effort itself, unless it is `none`; `a.b` is the field `b` of the object `a`. */
  readonly field?: string;
}

/** How a model's own reasoning goes back to its host. */
export interface Replay {
  /** A text field, the router's list of details, or a `<think>` block at the start of the content. */
  readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'think';
  /** The format of the host's reasoning details. A router that names formats itself has several. */
  readonly formats: readonly [string, ...string[]];
}

/** Where a host reports a failure inside a successful answer: an object with a code, which is 0 for success. */
interface ReportObject {
  readonly object: string;
  readonly code: string;
  readonly message: string;
}

/** How a host reports failures, beside what is common to all. */
export interface ErrorDialect {
  /** What the host's own error codes mean. */
  readonly errorCodes?: Readonly<Record<string, UpstreamKind>>;
  /** What the host's unusual statuses mean. */
  readonly errorStatuses?: Readonly<Record<string, UpstreamKind>>;
  readonly reportObject?: ReportObject;
}

export interface Dialect extends ErrorDialect {
  /** The host's own names of parameters. */
  readonly names?: Readonly<Partial<Record<ParameterName, string>>>;
  /** The role of system messages for models that reason; `system` where absent. */
  readonly reasonerSystemRole?: 'developer';
  /** How efforts are written, by the model's reasoning style; `reasoning_effort` where absent. */
  readonly efforts?: Readonly<Partial<Record<ReasoningStyle, EffortFields>>>;
  /** Fields of every request. */
  readonly always?: JsonObject;
  /** Fields of every request to a model that reasons. */
  readonly forReasoners?: JsonObject;
  /** The value of `tool_choice` that requires a call; `required` where absent. */
  readonly requiredToolChoice?: string;
  /** The host has no tool choice `none`: the tools are left out instead. */
  readonly noneLeavesOutTools?: boolean;
  /** The host takes no response format together with tools. */
  readonly formatWithoutTools?: boolean;
  /** The host's functions have no `strict`. */
  readonly withoutStrictTools?: boolean;
  /** The host takes only tool call ids of nine letters and digits. */
  readonly shortToolIds?: boolean;
  /** The highest number of characters in a tool call id; absent: any. */
  readonly maxToolIdLength?: number;
  /** Marks an assistant message at the end as one to continue. */
  readonly continued?: JsonObject;
  /** Several texts become one: not every host takes lists. */
  readonly joinsTexts?: boolean;
  /** Turns must alternate, so adjacent messages of one role are merged. */
  readonly mergesTurns?: boolean;
  /** The host refuses messages of the assistant without text and calls: they are left out. */
  readonly refusesEmptyAnswers?: boolean;
  /** The host takes caching markers. */
  readonly takesCacheControl?: boolean;
  /** The host reports usage at the end of every stream, and has no `stream_options`. */
  readonly alwaysReportsUsage?: boolean;
  /** Absent: reasoning does not go back. */
  readonly replay?: Replay;
  /** What callers may give in `native_fields` beside the protocol's own fields. */
  readonly nativeFields?: NativeFields;
  /** Reasoning may be in `<think>` tags at the start of the content. */
  readonly readsThinkTags?: boolean;
}

/** OpenAI's own. */
export const openaiDialect: Dialect = { reasonerSystemRole: 'developer', maxToolIdLength: 40 };

/** What is true of most other hosts. */
export const hostDialect: Dialect = { joinsTexts: true };

/** An effort as the fields of a host. */
export function writeEffort(effort: ReasoningEffort, { on, off, field }: EffortFields): JsonObject {
  if (effort === 'none') return off ?? {};
  const [name, member] = field?.split('.') ?? [];
  if (name === undefined) return on ?? {};
  return { ...on, [name]: member === undefined ? effort : { [member]: effort } };
}

/** A tool call id as the host takes it. The same id always has the same form, so that call and result agree. */
export function encodeToolId(id: string, { shortToolIds, maxToolIdLength = id.length }: Dialect): string {
  if (shortToolIds) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digestOf(id).slice(0, 9);
  if (id.length <= maxToolIdLength) return id;
  const digest = digestOf(id).slice(0, 16);
  return `${id.slice(0, maxToolIdLength - digest.length - 1)}_${digest}`;
}

const digestOf = (id: string): string => createHash('sha256').update(id).digest('hex');
