/** Turns tools into ones that the target takes. Calls in the conversation follow their tools. */
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import type { Normalized, ToolForm } from '../rule.ts';
import { customAsFunctions } from './custom-tools.ts';
import { withoutHosted } from './hosted-tools.ts';
import { nameTools } from './tool-names.ts';

/** @throws GatewayError `invalid_request` for a tool of the provider that the target does not have. */
export function adaptTools(
  request: GenerationRequest,
  target: Target,
  forms: readonly ToolForm[],
): Normalized {
  const steps: readonly ((given: GenerationRequest) => Normalized)[] = [
    ...(forms.includes('hosted') ? [] : [(given: GenerationRequest) => withoutHosted(given, target)]),
    ...(forms.includes('custom') ? [] : [customAsFunctions]),
    (given) => nameTools(given, { namespaces: forms.includes('namespace') }),
  ];
  return steps.reduce<Normalized>(
    (before, step) => {
      const after = step(before.request);
      return { request: after.request, changes: [...before.changes, ...after.changes] };
    },
    { request, changes: [] },
  );
}
