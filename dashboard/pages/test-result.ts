/** What came of a test of a key at its provider, in words. */
import type { ProviderTestAnswer } from '../../lib/admin/providers/schema.ts';

export const testResult = ({
  ok,
  status,
  failure,
}: Pick<ProviderTestAnswer, 'ok' | 'status' | 'failure'>): string => {
  if (ok === null) return 'the provider has no test';
  return ok ? 'accepted' : `${failure}${status === null ? '' : ` (${status})`}`;
};
