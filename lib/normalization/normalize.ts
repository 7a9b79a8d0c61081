/**
 * How rules turn a request into one that its target accepts.
 *
 * Pure: a new request and the records of every change come back; nothing is changed in place. `extra.normalize = false`
 * is simply not calling `normalize`.
 */
import type { GenerationRequest } from '../core/generation/request.ts';
import type { Target } from '../core/model.ts';
import { inCallersTerms } from './callers-terms.ts';
import { pairResults } from './conversation.ts';
import { applyParameterRules } from './parameter-rules.ts';
import type {
  Change,
  MessageRule,
  Normalized,
  Place,
  Placed,
  RequestRule,
  RuleContext,
  RuleSet,
} from './rule.ts';
import { adaptSchemas } from './schemas/request-schemas.ts';

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function normalize(given: GenerationRequest, target: Target, rules: RuleSet): Normalized {
  const paired = pairResults(given.messages);
  const request = { ...given, messages: paired.messages.map(({ message }) => message) };
  const settled = applyParameterRules(request.parameters, rules.parameters, (parameters) => ({
    request,
    parameters,
    target,
  }));
  const adapted = adaptSchemas({ ...request, parameters: settled.parameters }, target, rules.schemas);
  const context: RuleContext = { request, parameters: settled.parameters, target };
  let { messages } = paired;
  const repairs: Change[] = [...paired.changes];
  for (const rule of rules.conversation ?? []) {
    const repaired = rule.apply(messages, context);
    if (!repaired) continue;
    messages = repaired.messages;
    repairs.push(...repaired.changes);
  }
  const edited = editMessages(messages, target, rules.messages);
  const normalized = {
    request: { ...adapted.request, messages: edited.messages },
    changes: [...settled.changes, ...adapted.changes, ...repairs, ...edited.changes],
  };
  const places = messages.map(({ message, ...place }) => place);
  const settledRequest = (rules.requests ?? []).reduce<Normalized>(
    (before, rule) => applyToRequest(before, rule, target, places),
    normalized,
  );
  return { ...settledRequest, places };
}

/** A rule on the whole request counts messages as they stand now; callers are told of their own positions. */
function applyToRequest(
  before: Normalized,
  rule: RequestRule,
  target: Target,
  places: readonly Place[],
): Normalized {
  const after = rule(before.request, target);
  if (!after) return before;
  const told = after.changes.map(({ param, ...rest }) => ({
    ...rest,
    param: inCallersTerms(param, places),
  }));
  return { request: after.request, changes: [...before.changes, ...told] };
}

function editMessages(placed: readonly Placed[], target: Target, rules: readonly MessageRule[]) {
  const changes: Change[] = [];
  const messages = placed.map(({ message: original, position }) => {
    let message = original;
    for (const rule of rules) {
      const result = rule.apply(message, target);
      if (!result) continue;
      message = result.message;
      const { field, before = null, after = null } = result;
      const action = after === null ? 'strip' : 'override';
      changes.push({ param: `messages.${position}.${field}`, action, before, after, reason: rule.reason });
    }
    return message;
  });
  return { messages, changes };
}
