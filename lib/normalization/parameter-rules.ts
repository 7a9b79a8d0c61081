/** Applies rules on parameters, for every operation alike: in their order, each on what the earlier ones left. */
import { GatewayError } from '../core/errors/errors.ts';
import { type FieldPaths, renamePath } from '../core/generation/original/source.ts';
import type { Change, ParameterRule } from './rule.ts';

/**
 * `paths`: the caller's paths of parameters with other names.
 *
 * @throws GatewayError `invalid_request` for what the target cannot do and must not leave out.
 */
export function applyParameterRules<Given extends object, Context>(
  given: Given,
  rules: readonly ParameterRule<Given, Context>[],
  contextOf: (parameters: Given) => Context,
  paths?: FieldPaths,
) {
  const changes: Change[] = [];
  let parameters = given;
  for (const rule of rules) {
    const before = parameters[rule.param];
    if (before === undefined && !rule.adds) continue;
    const context = contextOf(parameters);
    if (!rule.applies(context)) continue;
    if (rule.refuses) {
      const { path, message } = rule.refuses;
      const param = path?.(context) ?? renamePath(rule.param, paths);
      throw new GatewayError('invalid_request', message(context), { param });
    }
    const after = rule.value?.(context);
    parameters = withParameter(parameters, rule.param, after);
    const path = renamePath(rule.param, paths);
    // A field that means two parameters is recorded once, as the one of its name.
    const isOfOther = path !== rule.param && Object.hasOwn(given, path);
    if (!isOfOther && !rule.isDefault?.(context)) changes.push(changeOf(path, before, after, rule.reason));
  }
  return { parameters, changes };
}

export function withParameter<Given extends object>(
  parameters: Given,
  name: keyof Given & string,
  value: unknown,
): Given {
  const entries = Object.entries(parameters).filter(([key]) => key !== name);
  return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]) as Given;
}

function changeOf(param: string, before: unknown, after: unknown, reason: string): Change {
  let action: Change['action'] = 'override';
  if (after === undefined) action = 'strip';
  else if (before === undefined) action = 'add';
  return { param, action, before: before ?? null, after: after ?? null, reason };
}
