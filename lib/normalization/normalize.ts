/**
 * Turns a request into one that its target accepts, by the rules of the target's provider.
 *
 * Pure: returns a new request and a record of every change, and changes nothing in place.
 */
import type { Target } from '../core/catalog/model.ts';
import { pathOf } from '../core/generation/original/source.ts';
import type { GenerationRequest, Message } from '../core/generation/request.ts';
import { pairResults } from './conversation/conversation.ts';
import { adaptFiles } from './conversation/files.ts';
import { applyParameterRules } from './parameter-rules.ts';
import type { Change, MessageRule, Normalized, RequestRule, RuleSet } from './rule.ts';
import { adaptSchemas } from './schemas/request-schemas.ts';
import { adaptTools } from './tools/adapt-tools.ts';
import { customAsFunctions } from './tools/custom-tools.ts';

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function normalize(given: GenerationRequest, target: Target, rules: RuleSet): Normalized {
  const offered = adaptTools(given, target, rules.toolTypes?.(target) ?? []);
  const paired = pairResults(offered.request.messages);
  const request = { ...offered.request, messages: paired.messages };
  const applied = applyParameterRules(
    request.parameters,
    rules.parameters,
    (parameters) => ({ request, parameters, target }),
    request.parameterPaths,
  );
  const { parameters } = applied;
  const adapted = adaptSchemas({ ...request, parameters }, target, rules.schemas);
  const files = adaptFiles(paired.messages, target, rules.fileTypes ?? []);
  let { messages } = files;
  const repairs: Change[] = [...paired.changes, ...files.changes];
  for (const rule of rules.conversation ?? []) {
    const repaired = rule.apply(messages, { request, parameters, target });
    if (!repaired) continue;
    messages = repaired.messages;
    repairs.push(...repaired.changes);
  }
  const edited = editMessages(messages, target, rules.messages);
  const changes = [...offered.changes, ...applied.changes, ...adapted.changes, ...repairs, ...edited.changes];
  return applyRequestRules(
    { request: { ...adapted.request, messages: edited.messages }, changes },
    target,
    rules.requests ?? [],
  );
}

const isAlways = ({ always }: { readonly always?: true }): boolean => always === true;

/** For `extra.normalize = false`: what the protocol has no form for gets another one or is left out, on record. */
export function fitProtocol(given: GenerationRequest, target: Target, rules: RuleSet): Normalized {
  const takesCustom = rules.toolTypes?.(target).includes('custom');
  const offered = takesCustom ? { request: given, changes: [] } : customAsFunctions(given);
  const { parameters, changes } = applyParameterRules(
    offered.request.parameters,
    rules.parameters.filter(isAlways),
    (left) => ({ request: given, parameters: left, target }),
    given.parameterPaths,
  );
  const edited = editMessages(offered.request.messages, target, rules.messages.filter(isAlways));
  const request = { ...offered.request, parameters, messages: edited.messages };
  return applyRequestRules(
    { request, changes: [...offered.changes, ...changes, ...edited.changes] },
    target,
    (rules.requests ?? []).filter(isAlways),
  );
}

function applyRequestRules(given: Normalized, target: Target, rules: readonly RequestRule[]): Normalized {
  let normalized = given;
  for (const rule of rules) {
    const after = rule(normalized.request, target);
    if (after) normalized = { request: after.request, changes: [...normalized.changes, ...after.changes] };
  }
  return normalized;
}

function editMessages(given: readonly Message[], target: Target, rules: readonly MessageRule[]) {
  const changes: Change[] = [];
  const messages = given.map((original) => {
    let message = original;
    for (const rule of rules) {
      const result = rule.apply(message, target);
      if (!result) continue;
      message = result.message;
      const { field, before = null, after = null } = result;
      const action = after === null ? 'strip' : 'override';
      changes.push({ param: pathOf(original, field), action, before, after, reason: rule.reason });
    }
    return message;
  });
  return { messages, changes };
}
