/** Turns tools into ones that the target takes. Calls in the conversation follow their tools. */
import type { Target } from '../../core/catalog/model.ts';
import type { GenerationRequest, Message } from '../../core/generation/request.ts';
import type { Normalized, ToolType } from '../rule.ts';
import { customAsFunctions } from './custom-tools.ts';
import { withoutHosted } from './hosted-tools.ts';
import { nameTools } from './tool-names.ts';

/** @throws GatewayError `invalid_request` for a tool of the provider that the target does not have. */
export function adaptTools(
  request: GenerationRequest,
  target: Target,
  forms: readonly ToolType[],
): Normalized {
  if (isWithoutTools(request)) return { request, changes: [] };
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

/** Most requests: there is nothing to adapt, and each step would copy the request to find that. */
function isWithoutTools(request: GenerationRequest): boolean {
  const { tools, webSearch, hostedTools, include, parameters, messages } = request;
  if (tools.length > 0 || webSearch || hostedTools || include) return false;
  return parameters.tool_choice === undefined && !messages.some(hasCalls);
}

const hasCalls = (message: Message): boolean =>
  message.role === 'assistant' && (message.toolCalls.length > 0 || message.items !== undefined);
