/**
 * The dependencies of every function: API keys, catalog and log. Functions that call models add `generation-runtime.ts`, which
 * the others do not load; the other runtimes of this folder add what single functions need.
 */
import { lazy, lazyFor } from '../async/lazy.ts';
import { geographyFormat, isGeography } from '../core/catalog/geography.ts';
import type { Model } from '../core/catalog/model.ts';
import { readCorsOrigins } from '../core/cors.ts';
import { newId } from '../core/names/new-id.ts';
import type { FindApiKey, FoundApiKey } from '../core/ports/api-keys.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import type { Log } from '../core/ports/log.ts';
import { createApiKeyFinders } from '../stores/access/find-api-key.ts';
import { createKeyStore } from '../stores/access/keys.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { createCatalog, createCatalogStore } from '../stores/catalog/catalog.ts';
import { resolveDeployments } from '../stores/catalog/routes.ts';
import type { TableOptions } from '../stores/dynamodb/table.ts';
import { partitionOf } from '../transport/aws/aws-partitions.ts';
import type { Environment, Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';

export interface Runtime {
  readonly now: () => number;
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Log;
  readonly isColdStart: () => boolean;
  readonly heartbeatMs: number | undefined;
  readonly corsOrigins: readonly string[];
  /** Whether spans are made of requests. */
  readonly isTraced: boolean;
  readonly findApiKey: FindApiKey;
  /** By the stored format of a key. */
  readonly findKeyByHash: (hash: string) => Promise<FoundApiKey | undefined>;
  readonly catalog: Catalog;
}

// Functions that need the base alone are built without the rest.
export const runtimeOf = /* @__PURE__ */ lazyFor((variables: Variables): Runtime => {
  const { environment, log, now, table } = foundationOf(variables);
  return {
    now,
    newId,
    log,
    isColdStart: coldStarts(variables.AWS_LAMBDA_INITIALIZATION_TYPE),
    heartbeatMs: environment.GATEWAY_HEARTBEAT_MS,
    corsOrigins: readCorsOrigins('GATEWAY_CORS_ORIGINS', environment.GATEWAY_CORS_ORIGINS),
    isTraced: Boolean(
      environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT,
    ),
    ...createApiKeyFinders({
      keys: createKeyStore(table('access')),
      tenants: createTenantStore(table('access')),
      now,
    }),
    catalog: createCatalog({
      dataFacts: dataFactsOf({ options: table('catalog'), now }),
      store: createCatalogStore(table('catalog')),
      now,
      resolve: deploymentResolver(environment),
      warn: (id, reason) => log.warn('malformed catalog row', { model: id, reason }),
    }),
  };
});

/** The operator's facts about providers: few requests ask for them. */
function dataFactsOf({ options, now }: { readonly options: TableOptions; readonly now: () => number }) {
  const find = lazy(async () => {
    const facts = await import('../stores/catalog/provider-data.ts');
    return facts.createFindProviderData({ store: facts.createProviderDataStore(options), now });
  });
  return async () => await (await find())();
}

/** The first request of an environment that Lambda did not keep ready. A server has no such variable. */
function coldStarts(initialization: string | undefined): () => boolean {
  let isFirst = initialization === 'on-demand';
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}

type RegionVariables = Pick<
  Environment,
  'AWS_REGION' | 'GATEWAY_BEDROCK_REGION' | 'GATEWAY_BEDROCK_GEOGRAPHY'
>;

/** Throws an Error that names the variable at fault. */
export function deploymentResolver(environment: RegionVariables): (model: Model) => Model {
  const { AWS_REGION, GATEWAY_BEDROCK_REGION: region = AWS_REGION } = environment;
  const geography = environment.GATEWAY_BEDROCK_GEOGRAPHY ?? 'any';
  if (!isGeography(geography))
    throw new Error(`The environment variable GATEWAY_BEDROCK_GEOGRAPHY must be ${geographyFormat}.`);
  const { name } = partitionOf(region);
  const isPartner = (other: string) => partitionOf(other).name === name;
  return (model) => resolveDeployments(model, { region, geography, isPartner });
}
