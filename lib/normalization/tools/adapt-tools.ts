/** Turns tools into ones that the target takes. Calls in the conversation follow their tools. */
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Normalized, ToolForm } from '../rule.ts';
import { customAsFunctions } from './custom-tools.ts';
import { nameTools } from './tool-names.ts';

export function adaptTools(request: GenerationRequest, forms: readonly ToolForm[]): Normalized {
  const known = forms.includes('custom') ? { request, changes: [] } : customAsFunctions(request);
  const named = nameTools(known.request, { namespaces: forms.includes('namespace') });
  return { request: named.request, changes: [...known.changes, ...named.changes] };
}
