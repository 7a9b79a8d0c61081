/** What the dashboard's operations on guardrails need beside the parts of all others. */
import type { GuardrailTestParts } from '../../admin/guardrails/test-guardrail.ts';
import { createPolicyStore } from '../../stores/access/guardrails.ts';
import type { AdminRuntime } from './admin-runtime.ts';

export const guardrailParts = ({ foundation, ...runtime }: AdminRuntime): GuardrailTestParts => ({
  ...runtime,
  policies: createPolicyStore(foundation.table('access')),
  async tryPolicy(...tried) {
    const [{ createTryPolicy }, { createGuardrails }, { accountsOf }, { createProviders }] =
      await Promise.all([
        import('../../pipeline/guard/try-policy.ts'),
        import('../guardrails-runtime.ts'),
        import('../accounts.ts'),
        import('../../providers/registry.ts'),
      ]);
    const { now, send } = foundation;
    const providers = createProviders();
    const connections = { send, findAccess: accountsOf(foundation, providers) };
    const guardrails = createGuardrails(foundation, { providers, connections });
    return await createTryPolicy({ guardrails, now })(...tried);
  },
});
