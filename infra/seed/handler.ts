/**
 * The Lambda function that runs during a deployment: it writes the models that ship with the gateway into the catalog, and makes the
 * secret of the stack. If it fails, the deployment fails with its error. It is the first to use its role, whose permissions may still be on their way.
 */
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { tables } from '../../lib/core/tables.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { awaitPermission } from '../../lib/transport/await-permission.ts';
import { createAwsCall } from '../../lib/transport/aws/aws-call.ts';
import { createEndpoints } from '../../lib/transport/aws/aws-endpoints.ts';
import { createSigner } from '../../lib/transport/aws/sign-action.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { localDatabase } from '../../lib/transport/local-database.ts';
import { seedCatalog } from '../catalog/seed.ts';
import { permissionMs } from './bounds.ts';
import { ensureStackSecret } from './secret.ts';

interface SeedEvent {
  /** Another time than `permissionMs`. */
  readonly permissionMs?: number;
}

/** A deployment invokes it without an event. */
export const create =
  (variables: Variables) =>
  async (event?: SeedEvent): Promise<void> => {
    const forMs = event?.permissionMs ?? permissionMs;
    const store = createCatalogStore({
      call: awaitPermission(callOf(variables, databaseOf(variables)), { forMs, service: 'DynamoDB' }),
      table: required(variables, tables.catalog.environmentVariable),
    });
    const { written, kept } = await seedCatalog(store);
    const { PROVIDER_PARAMETERS_PREFIX: prefix, PROVIDER_PARAMETERS_KEY: kmsKey } = variables;
    if (prefix) {
      const ssm = callOf(variables, { service: 'ssm', jsonVersion: '1.1' });
      await ensureStackSecret(awaitPermission(ssm, { forMs, service: 'Systems Manager' }), {
        prefix,
        kmsKey,
      });
    }
    console.log(JSON.stringify({ message: 'catalog seeded', written, kept }));
  };

const databaseOf = ({ DYNAMODB_ENDPOINT: local }: Variables) => ({
  service: 'dynamodb' as const,
  jsonVersion: '1.0' as const,
  ...(local && localDatabase(local)),
});

function callOf(
  variables: Variables,
  service: { readonly service: 'dynamodb' | 'ssm'; readonly jsonVersion: '1.0' | '1.1' },
): AwsCall {
  const variable = (name: string) => required(variables, name);
  const region = variable('AWS_REGION');
  const sign = createSigner(async () => ({
    accessKeyId: variable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable('AWS_SECRET_ACCESS_KEY'),
    ...(variables.AWS_SESSION_TOKEN && { sessionToken: variables.AWS_SESSION_TOKEN }),
  }));
  return createAwsCall({
    sendForText: createNodeClient().sendForText,
    sign,
    region,
    endpoint: createEndpoints(region, variables)(service.service),
    ...service,
  });
}

function required(variables: Variables, name: string): string {
  const value = variables[name];
  if (value) return value;
  throw new Error(`The environment variable ${name} is missing.`);
}
