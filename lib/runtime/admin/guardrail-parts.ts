/** What the dashboard's operations on guardrails need beside the parts of all others. */
import type { GuardrailParts } from '../../admin/guardrails/guardrails.ts';
import { createPolicyStore } from '../../stores/access/guardrails.ts';
import type { AdminRuntime } from './admin-runtime.ts';

export const guardrailParts = ({ foundation, ...runtime }: AdminRuntime): GuardrailParts => ({
  ...runtime,
  policies: createPolicyStore(foundation.table('access')),
});
