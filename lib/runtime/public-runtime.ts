/** The dependencies of functions that anyone may call: catalog and log. API keys are looked up by few of their requests. */
import { lazy, lazyFor } from '../async/lazy.ts';
import { geographyFormat, isGeography } from '../core/catalog/geography.ts';
import type { Model } from '../core/catalog/model.ts';
import { readCorsOrigins } from '../core/cors.ts';
import { newId } from '../core/names/new-id.ts';
import type { FindApiKey } from '../core/ports/api-keys.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import type { Log } from '../core/ports/log.ts';
import { createCatalog, createCatalogStore } from '../stores/catalog/catalog.ts';
import { resolveDeployments } from '../stores/catalog/routes.ts';
import type { TableOptions } from '../stores/dynamodb/table.ts';
import { partitionOf } from '../transport/aws/aws-partitions.ts';
import type { Environment, Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';

export interface PublicRuntime {
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
  readonly catalog: Catalog;
}

export const publicRuntimeOf = lazyFor((variables: Variables): PublicRuntime => {
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
    async findApiKey(secret) {
      const { keyFindersOf } = await import('./key-finders.ts');
      return await keyFindersOf(variables).findApiKey(secret);
    },
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
