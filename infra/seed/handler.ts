/**
 * The Lambda function that runs during a deployment: it writes the models that ship with the gateway into the catalog. If
 * it fails, the deployment fails with its error. It is the first to use its role, whose permissions may still be on their way.
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
      call: awaitPermission(callDynamo(variables), { forMs, service: 'DynamoDB' }),
      table: required(variables, tables.catalog.environmentVariable),
    });
    const { written, kept } = await seedCatalog(store);
    console.log(JSON.stringify({ message: 'catalog seeded', written, kept }));
  };

function callDynamo(variables: Variables): AwsCall {
  const variable = (name: string) => required(variables, name);
  const local = variables.DYNAMODB_ENDPOINT;
  const region = variable('AWS_REGION');
  const sign = createSigner(async () => ({
    accessKeyId: variable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable('AWS_SECRET_ACCESS_KEY'),
    ...(variables.AWS_SESSION_TOKEN && { sessionToken: variables.AWS_SESSION_TOKEN }),
  }));
  return createAwsCall({
    sendForText: createNodeClient().sendForText,
    sign,
    service: 'dynamodb',
    jsonVersion: '1.0',
    region,
    ...(local ? localDatabase(local) : { endpoint: createEndpoints(region, variables)('dynamodb') }),
  });
}

function required(variables: Variables, name: string): string {
  const value = variables[name];
  if (value) return value;
  throw new Error(`The environment variable ${name} is missing.`);
}
