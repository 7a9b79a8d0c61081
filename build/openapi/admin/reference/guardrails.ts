/** The part of the reference of the dashboard's API that is about guardrails of tenants. */
import * as guardrails from '../../../../lib/admin/guardrails/schema.ts';
import { tenantPath } from '../../../../lib/admin/tenants/schema.ts';
import { tagged } from '../admin-reference.ts';

export const guardrailsReference = tagged('Guardrails', {
  'admin-guardrails-list': {
    title: 'List guardrails',
    summary: 'Lists the guardrails of a tenant with their rules.',
    parameters: tenantPath,
    answer: ['GuardrailList', guardrails.guardrailsListAnswer],
  },
  'admin-guardrails-retrieve': {
    title: 'Get a guardrail',
    summary: 'Returns one guardrail with its rules.',
    parameters: guardrails.guardrailPath,
    answer: ['Guardrail', guardrails.guardrailSchema],
  },
  'admin-guardrails-put': {
    title: 'Set a guardrail',
    summary: 'Creates a guardrail, or makes a new version of one. It holds within ten seconds.',
    parameters: guardrails.guardrailPath,
    body: guardrails.guardrailsPutInput,
    answer: ['ChangedGuardrail', guardrails.guardrailsPutAnswer],
    takesIfMatch: true,
    takesIfNoneMatch: true,
  },
  'admin-guardrails-test': {
    title: 'Test a guardrail',
    summary:
      'Returns what the rules of a guardrail, or those of a draft, find in a text, and what they would do. The text is not kept, and no part of it is in the answer. Detectors elsewhere are asked only with `remote`: their cost is yours, and no tenant is charged.',
    parameters: guardrails.guardrailPath,
    body: guardrails.guardrailsTestInput,
    answer: ['GuardrailTest', guardrails.guardrailsTestAnswer],
  },
  'admin-guardrails-delete': {
    title: 'Delete a guardrail',
    summary: 'Removes a guardrail from its tenant within ten seconds.',
    parameters: guardrails.guardrailPath,
    answer: ['DeletedGuardrail', guardrails.guardrailsDeleteAnswer],
    takesIfMatch: true,
  },
});
