/** The dependencies of the dashboard's functions: stores, the check of who calls, and where the gateway is. */

import type { SessionParts } from '../../admin/sessions/endpoints.ts';
import { createFindSession, userOf } from '../../admin/sessions/find-session.ts';
import { createOidc } from '../../admin/sign-in/oidc.ts';
import { readIssuerSettings } from '../../admin/sign-in/settings.ts';
import type { SubjectParts } from '../../admin/subject-endpoint.ts';
import { lazyFor } from '../../async/lazy.ts';
import type { AuditLog } from '../../core/accounting/audit.ts';
import type { FindUser } from '../../core/admin/user.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { ClaimAnswer } from '../../core/ports/kept-answers.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { createKeyEdits } from '../../stores/access/key-edits.ts';
import { createKeyStore, type KeyStore } from '../../stores/access/keys.ts';
import { createManagementKeyStore, type ManagementKeyStore } from '../../stores/access/management-keys.ts';
import { createTenantEdits } from '../../stores/access/tenant-edits.ts';
import { createTenantStore, type TenantStore } from '../../stores/access/tenants.ts';
import { createCatalogStore } from '../../stores/catalog/catalog.ts';
import { createHostStore } from '../../stores/catalog/hosts.ts';
import { createLimitStore } from '../../stores/limits/limits.ts';
import { createSessionStore } from '../../stores/sessions/sessions.ts';
import { createAuditLog } from '../../stores/usage/audit.ts';
import { createJournal } from '../../stores/usage/journal.ts';
import { readPartitions } from '../../stores/usage/partitions.ts';
import { createSumsStore } from '../../stores/usage/read-sums.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import { type IsLocalAddress, readLocalAddresses } from '../../transport/local-addresses.ts';
import { claimAnswerOf } from '../claim-answer.ts';
import type { Environment, Variables } from '../environment.ts';
import type { Foundation } from '../foundation.ts';
import { foundationOf } from '../foundation.ts';
import { type Runtime, runtimeOf } from '../runtime.ts';

export interface AdminRuntime extends Runtime, SessionParts, SubjectParts {
  readonly foundation: Foundation;
  readonly findUser: FindUser;
  readonly claimAnswer: ClaimAnswer;
  /** The key with which kept answers are sealed. */
  readonly answerKey: () => Promise<Uint8Array>;
  readonly pageUrl: string | undefined;
  readonly isLocalAddress: IsLocalAddress;
  readonly keys: KeyStore;
  readonly managementKeys: ManagementKeyStore;
  readonly tenants: TenantStore;
  readonly models: ReturnType<typeof createCatalogStore>;
  readonly hosts: ReturnType<typeof createHostStore>;
  readonly usage: UsageStore;
  readonly audit: AuditLog;
}

export const adminRuntime = lazyFor((variables: Variables): AdminRuntime => {
  const foundation = foundationOf(variables);
  const { environment, now, table } = foundation;
  const keys = createKeyStore({ ...table('access'), now });
  const tenants = createTenantStore({ ...table('access'), now });
  const managementKeys = createManagementKeyStore({ ...table('access'), now });
  const sessions = createSessionStore({ ...table('state'), now });
  const issuer = readIssuerSettings(environment);
  const oidc = issuer && createOidc(issuer, foundation);
  const findSession = createFindSession({ sessions, keys, managementKeys, oidc, now });
  return {
    ...runtimeOf(variables),
    claimAnswer: claimAnswerOf(foundation),
    answerKey: () => answerKeyOf(variables),
    foundation,
    sessions,
    oidc,
    findSession,
    findUser: userOf(findSession),
    pageUrl: environment.GATEWAY_DASHBOARD_URL,
    isLocalAddress: readLocalAddresses('GATEWAY_DASHBOARD_FROM', environment.GATEWAY_DASHBOARD_FROM),
    keys,
    managementKeys,
    tenants,
    keyEdits: createKeyEdits({ ...table('access'), now }),
    tenantEdits: createTenantEdits({ ...table('access'), now }),
    limits: createLimitStore({ ...table('usage'), now }),
    sums: createSumsStore(table('usage')),
    journal: createJournal(table('usage')),
    audit: createAuditLog({ ...table('usage'), now }),
    webhookProblem: (url) => problemOf(url, environment.DYNAMODB_ENDPOINT !== undefined),
    models: createCatalogStore(table('catalog')),
    hosts: createHostStore(table('catalog')),
    usage: createUsageStore({
      ...table('usage'),
      now,
      ledgerDays: environment.GATEWAY_LEDGER_DAYS,
      partitionsOf: readPartitions(tenants),
    }),
    ways: [
      ...(oidc ? (['oidc'] as const) : []),
      // Lambda has no machine of its own to be signed in at.
      ...(variables.AWS_LAMBDA_FUNCTION_NAME === undefined ? (['address'] as const) : []),
      'key',
    ],
    addresses: addressesOf(environment),
    features: { members: environment.GATEWAY_ADMIN_USER_POOL !== undefined, providers: true },
  };
});

/** Few calls keep their answers. Rejects with GatewayError where they cannot be sealed. */
async function answerKeyOf(variables: Variables): Promise<Uint8Array> {
  const { PROVIDER_PARAMETERS_PREFIX: prefix, GATEWAY_SECRET_FILE: file } =
    foundationOf(variables).environment;
  if (!prefix && !file)
    throw invalid('Idempotency-Key', 'is not supported by this gateway: it has no GATEWAY_SECRET_FILE');
  const { deriveKeyOf } = await import('../stack-secret.ts');
  return await deriveKeyOf(variables)('answers of the admin API');
}

/** Few calls set a webhook. */
async function problemOf(url: string, isLocal: boolean): Promise<string | undefined> {
  const { webhookProblem } = await import('../../transport/webhook-url.ts');
  return await webhookProblem(url, isLocal);
}

const addressesOf = (environment: Environment): SessionParts['addresses'] => ({
  gatewayUrl: environment.GATEWAY_BASE_URL,
  playgroundUrl: environment.GATEWAY_PLAYGROUND_URL ?? '/admin/v1/playground/chat/completions',
});
