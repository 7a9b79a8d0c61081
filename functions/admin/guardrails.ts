/** Of guardrails. */
import type { AdminRuntime } from '../../lib/runtime/admin/admin-runtime.ts';
import { type AdminFunctions, forRoles, ofParts } from './admin-function.ts';

async function guardrails(runtime: AdminRuntime) {
  const [endpoints, { guardrailParts }] = await Promise.all([
    import('../../lib/admin/guardrails/guardrails.ts'),
    import('../../lib/runtime/admin/guardrail-parts.ts'),
  ]);
  return { ...endpoints, parts: guardrailParts(runtime) };
}

const ofGuardrails = ofParts(guardrails);

export const guardrailFunctions = {
  'admin-guardrails-list': ofGuardrails((found) => found.listGuardrailsEndpoint(found.parts)),
  'admin-guardrails-retrieve': ofGuardrails((found) => found.retrieveGuardrailEndpoint(found.parts)),
  'admin-guardrails-put': ofGuardrails((found) => found.putGuardrailEndpoint(found.parts)),
  'admin-guardrails-test': forRoles(async (r) =>
    (await import('../../lib/admin/guardrails/test-guardrail.ts')).testGuardrailEndpoint(
      (await guardrails(r)).parts,
    ),
  ),
  'admin-guardrails-delete': ofGuardrails((found) => found.deleteGuardrailEndpoint(found.parts)),
} satisfies AdminFunctions;
