/**
 * A gateway whose tables the environment names, as for the server in a container: in AWS, or at DYNAMODB_ENDPOINT. It reads the variables
 * that the server reads, so that both work on the same tables.
 */
import { tableNames, tables } from '../../lib/core/tables.ts';
import { membersIn } from '../../lib/runtime/admin/members.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { sealerOf } from '../../lib/runtime/own-keys/seal.ts';
import { createProviderSettings } from '../../lib/runtime/provider-settings/provider-settings.ts';
import { createSessionStore } from '../../lib/stores/sessions/sessions.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { loopback, urlOf } from '../../server/addresses.ts';
import { readSettings } from '../../server/settings.ts';
import { type Installation, UsageError } from '../command.ts';
import { composeInstallation } from './compose-installation.ts';

/** Where the server listens without `PORT`. */
const { port: serverPort } = readSettings({});

/** Whether the environment names a gateway's tables. */
export const namesTables = (variables: NodeJS.ProcessEnv): boolean =>
  tableNames.some((name) => variables[tables[name].environmentVariable]);

/** Throws UsageError if variables are missing or invalid. */
export function openTables(variables: NodeJS.ProcessEnv): Installation {
  const required = [...tableNames.map((name) => tables[name].environmentVariable), 'AWS_REGION'];
  const missing = required.filter((name) => !variables[name]);
  if (missing.length > 0) throw new UsageError(`Missing environment variables: ${missing.join(', ')}.`);
  const foundation = createFoundation(createNodeClient(), variables);
  const { table, ssm, environment } = foundation;
  const { call } = table('usage');
  const { DYNAMODB_ENDPOINT: local } = environment;
  const installation = composeInstallation({
    call,
    nameOf: (purpose) => table(purpose).table,
    ledgerDays: variables.GATEWAY_LEDGER_DAYS,
  });
  return {
    ...installation,
    members: async () => membersIn(foundation) ?? (await installation.members()),
    sealer: sealerOf(foundation),
    settings: createProviderSettings({ environment, variables, ssm }),
    database: { call, nameOf: (purpose) => table(purpose).table, isAws: local === undefined },
    dashboard: {
      sessions: createSessionStore({ ...table('state'), now: Date.now }),
      url: async () =>
        variables.GATEWAY_DASHBOARD_URL || urlOf(loopback, Number(variables.PORT || serverPort)),
    },
    close: async () => {},
  };
}
