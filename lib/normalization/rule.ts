/**
 * What a normalization rule is, and how a list of them turns a request into one that its target accepts.
 *
 * Pure: a new request and the records of every change come back; nothing is changed in place. `extra.normalize = false`
 * is simply not calling `normalize`.
 */
import type { GenerationRequest, ParameterName, Parameters } from '../core/generation.ts';
import type { Target } from '../core/model.ts';

/** One difference between what the caller sent and what goes upstream (public: `debug.normalizations`). */
export interface Change {
  /** Dotted path in the caller's body. */
  readonly param: string;
  readonly action: 'strip' | 'override' | 'add';
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string;
}

/** What a rule decides on: the request as earlier rules left it. */
export interface RuleContext {
  readonly request: GenerationRequest;
  readonly parameters: Parameters;
  readonly target: Target;
}

/** A rule on one parameter. It looks at the parameter only when it is set, or when `adds` says so. */
export interface Rule {
  readonly param: ParameterName;
  readonly reason: string;
  readonly applies: (context: RuleContext) => boolean;
  /** The new value; a rule without this one, or one that gives undefined, strips the parameter. */
  readonly value?: (context: RuleContext) => Parameters[ParameterName] | undefined;
  /** True for a rule that may set a parameter the caller left out. */
  readonly adds?: boolean;
}

/** A rule on the parts of messages that a wire cannot carry. */
export interface MessageRule {
  /** Gives the message without the part, and what to record; undefined leaves the message alone. */
  readonly apply: (
    message: GenerationRequest['messages'][number],
    target: Target,
  ) => { readonly message: GenerationRequest['messages'][number]; readonly field: string } | undefined;
  readonly reason: string;
}

export interface RuleSet {
  readonly parameters: readonly Rule[];
  readonly messages: readonly MessageRule[];
}

export interface Normalized {
  readonly request: GenerationRequest;
  readonly changes: readonly Change[];
}

export function normalize(request: GenerationRequest, target: Target, rules: RuleSet): Normalized {
  const changes: Change[] = [];
  let parameters = request.parameters;
  for (const rule of rules.parameters) {
    const context: RuleContext = { request, parameters, target };
    const before = parameters[rule.param];
    if ((before === undefined && !rule.adds) || !rule.applies(context)) continue;
    const after = rule.value?.(context);
    parameters = withParameter(parameters, rule.param, after);
    changes.push(change(rule, before, after));
  }
  const messages = request.messages.map((original, position) => {
    let message = original;
    for (const rule of rules.messages) {
      const result = rule.apply(message, target);
      if (!result) continue;
      message = result.message;
      const param = `messages.${position}.${result.field}`;
      changes.push({ param, action: 'strip', before: null, after: null, reason: rule.reason });
    }
    return message;
  });
  return { request: { ...request, parameters, messages }, changes };
}

function withParameter(parameters: Parameters, name: ParameterName, value: unknown): Parameters {
  const { [name]: _, ...others } = parameters;
  return value === undefined ? others : { ...others, [name]: value };
}

function change(rule: Rule, before: unknown, after: unknown): Change {
  let action: Change['action'] = 'override';
  if (after === undefined) action = 'strip';
  else if (before === undefined) action = 'add';
  return { param: rule.param, action, before: before ?? null, after: after ?? null, reason: rule.reason };
}
