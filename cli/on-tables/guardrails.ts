/** Operations on guardrails. */
import {
  deleteGuardrail,
  listGuardrails,
  putGuardrail,
  retrieveGuardrail,
} from '../../lib/admin/guardrails/guardrails.ts';
import type { GuardrailsTestAnswer } from '../../lib/admin/guardrails/schema.ts';
import { testGuardrail } from '../../lib/admin/guardrails/test-guardrail.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { LocalRule } from '../../lib/core/guardrails/local-rules.ts';
import type { Rule } from '../../lib/core/guardrails/policy.ts';
import { type Installation, UsageError } from '../command.ts';

/** By this machine, which has no account of the gateway with a detector. */
async function testLocally(
  installation: Installation,
  user: User,
  input: Parameters<typeof testGuardrail>[2],
): Promise<GuardrailsTestAnswer> {
  if (input.remote)
    throw new UsageError('Detectors elsewhere are asked by the gateway itself: give its address with --url.');
  const [{ createTryPolicy }, { localDetector }] = await Promise.all([
    import('../../lib/pipeline/guard/try-policy.ts'),
    import('../../lib/pipeline/guard/local/detect.ts'),
  ]);
  const guardrails = {
    findDetector: async (rule: Rule) => localDetector(rule as LocalRule),
    highestCost: () => 0,
  };
  const tryPolicy = createTryPolicy({ guardrails, now: installation.now });
  return await testGuardrail({ ...installation, tryPolicy }, user, input);
}

export const onGuardrails = {
  'admin-guardrails-list': listGuardrails,
  'admin-guardrails-retrieve': retrieveGuardrail,
  'admin-guardrails-put': putGuardrail,
  'admin-guardrails-test': testLocally,
  'admin-guardrails-delete': deleteGuardrail,
};
