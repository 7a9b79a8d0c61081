/**
 * The types of normalization rules, by which a provider declares what its protocol and its models do not take. They are
 * applied in `normalize.ts`.
 */
import type { Target } from '../core/catalog/model.ts';
import type { FieldOf } from '../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject, Message } from '../core/generation/request.ts';

/** One difference between what the caller sent and what goes upstream (public: `debug.normalizations`). */
export interface Change {
  /** Path in the caller's body. */
  readonly param: string;
  readonly action: 'strip' | 'override' | 'add';
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string;
}

export const stripped = (param: string, before: unknown, reason: string): Change => ({
  param,
  action: 'strip',
  before,
  after: null,
  reason,
});

export const overridden = (param: string, before: unknown, after: unknown, reason: string): Change => ({
  param,
  action: 'override',
  before,
  after,
  reason,
});

export const added = (param: string, after: unknown, reason: string): Change => ({
  param,
  action: 'add',
  before: null,
  after,
  reason,
});

/** What a rule on a parameter decides on: the parameters as earlier rules left them. */
export interface RequestContext<Request extends { readonly parameters: object }> {
  readonly request: Request;
  readonly parameters: Request['parameters'];
  readonly target: Target;
}

/** Of what is generated, the request is as earlier rules left it, too. */
export type RuleContext = RequestContext<GenerationRequest>;

/** A rule on the parameters of one kind of request. */
export type RuleFor<Request extends { readonly parameters: object }> = ParameterRule<
  Request['parameters'],
  RequestContext<Request>
>;

/** A rule that may be the record of what an encoder leaves out. */
interface Always {
  /**
   * True for what the protocol has no form for, so that its encoder leaves it out: the rule is applied also with
   * `normalize: false`, so that this is on record.
   */
  readonly always?: true;
}

/**
 * A rule on one of an operation's parameters. It looks at the parameter only when it is set, or when `adds` says so.
 * The context is what it decides on: the request as earlier rules left it.
 */
export interface ParameterRule<Given extends object, Context> extends Always {
  readonly param: keyof Given & string;
  readonly reason: string;
  readonly applies: (context: Context) => boolean;
  /** The new value; a rule without this one, or one that gives undefined, strips the parameter. */
  readonly value?: (context: Context) => Given[keyof Given] | undefined;
  /** True for a rule that looks at the parameter also when the caller left it out. */
  readonly adds?: boolean;
  /** Whether the target does without the parameter just what it says: then leaving it out is no change. */
  readonly isDefault?: (context: Context) => boolean;
  /** Rejects the request with a 400, for what the target cannot do and must not leave out. */
  readonly refuses?: {
    /** The caller's path of the field at fault, where it is not the parameter. */
    readonly path?: (context: Context) => string;
    readonly message: (context: Context) => string;
  };
}

/** A rule on a parameter of generation. */
export type Rule = RuleFor<GenerationRequest>;

interface EditedMessage {
  readonly message: Message;
  readonly field: FieldOf<Message>;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A rule on the parts of messages that a protocol cannot carry. */
export interface MessageRule extends Always {
  /**
   * Gives the message without the part, and what to record; undefined leaves the message alone. `before` and `after`
   * are small: never what was written in the conversation.
   */
  readonly apply: (message: Message, target: Target) => EditedMessage | undefined;
  readonly reason: string;
}

/** A conversation after a repair. */
export interface Repaired {
  readonly messages: readonly Message[];
  readonly changes: readonly Change[];
}

/** A repair of the whole conversation that only some protocols or models need. */
export interface ConversationRule {
  /** Undefined leaves the conversation alone. */
  readonly apply: (messages: readonly Message[], context: RuleContext) => Repaired | undefined;
}

/** One object of a schema, and the whole schema. */
export interface SchemaNode {
  readonly schema: JsonObject;
  readonly root: JsonObject;
}

/** An edit of one keyword that a protocol does not accept. */
export interface SchemaEdit {
  readonly keyword: string;
  readonly reason: string;
  /** Absent: applies to every occurrence of the keyword. */
  readonly applies?: (node: SchemaNode) => boolean;
  /** The keyword's new value; an edit without this one strips the keyword. */
  readonly value?: (schema: JsonObject) => unknown;
  /** The keyword's new name, where its value stays or is made by `value`. */
  readonly renamed?: string;
}

export interface SchemaDialect {
  readonly edits: readonly SchemaEdit[];
  /** Whether a schema has something that no edit can express: then strict mode is turned off instead. */
  readonly exceeds?: (node: SchemaNode) => boolean;
}

export interface SchemaRules {
  /** For tools whose `strict` is true. */
  readonly strictTools?: SchemaDialect;
  /** For the answer's schema, if the model has a mode for it in its protocol. */
  readonly output?: {
    readonly dialect: SchemaDialect;
    /** Whether the protocol also has a mode that takes the schema as a hint. */
    readonly hasLooseMode: boolean;
  };
}

/** A rule on the request as a whole, after all others; undefined where it changes nothing. */
export interface RequestRule extends Always {
  (request: GenerationRequest, target: Target): Normalized | undefined;
}

/** The rule, applied also with `normalize: false`. */
export function always(rule: RequestRule): RequestRule {
  return Object.assign((request: GenerationRequest, target: Target) => rule(request, target), {
    always: true as const,
  });
}

/** What a target takes of tools beside functions; `hosted`: tools and items that only the Responses API has. */
export type ToolType = 'custom' | 'namespace' | 'hosted';

export interface RuleSet {
  /** The tool types that the target takes; a function takes the place of any other. Absent: none. */
  readonly toolTypes?: (target: Target) => readonly ToolType[];
  readonly parameters: readonly Rule[];
  readonly messages: readonly MessageRule[];
  /** Repairs beside those that every protocol needs. */
  readonly conversation?: readonly ConversationRule[];
  /** The JSON Schema that the protocol accepts; absent if it accepts all of it. */
  readonly schemas?: SchemaRules;
  readonly requests?: readonly RequestRule[];
  /** Media types that it takes as files, beside PDF. */
  readonly fileTypes?: readonly string[];
}

export interface Normalized {
  readonly request: GenerationRequest;
  readonly changes: readonly Change[];
}
