/** Asks a provider whether it accepts a credential, and writes what came of it into the audit log. */
import type { AuditAuthor } from '../../core/accounting/audit.ts';
import type { Send } from '../../core/ports/http.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import type { Provider } from '../../providers/provider.ts';
import { testCredential } from '../../providers/test-call.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';

export interface TestParts extends AuditParts {
  readonly send: Send;
  /** Of the gateway. */
  readonly region: string;
}

interface Tested {
  readonly action: `${string}.test`;
  readonly tenant?: string;
  /** The id of what is tested. */
  readonly target: string;
  readonly provider: Provider;
  readonly open: () => Promise<ProviderAccess>;
}

export async function recordedTest(
  parts: TestParts,
  by: AuditAuthor,
  { action, tenant, target, provider, open }: Tested,
) {
  const began = parts.now();
  const tested = await testCredential(provider, await open(), parts);
  const { status, failure } = tested;
  await recordChange(parts, by, action, {
    tenant,
    target,
    after: { credential_test: { provider: provider.name, status, failure } },
  });
  return { ...tested, duration_ms: Math.round(parts.now() - began) };
}
