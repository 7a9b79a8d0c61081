/**
 * The ids by which Bedrock serves the models of the catalog, and the regions that can call them. Sources: the model cards that the
 * catalog's rows name; the refusals, as Bedrock answers them: aws/aws-cdk and earendil-works/pi issues of "on-demand throughput
 * isn't supported"; anthropics/claude-code issues of "The provided model identifier is invalid".
 */
import { seedRows } from '../../infra/catalog/seed.ts';
import type { Route } from '../../lib/core/catalog/model.ts';
import { isWithin } from '../../lib/core/catalog/regions.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import type { SandboxRequest } from '../exchange.ts';
import { textOf } from '../json.ts';
import { refuse } from './refuse.ts';

const called = /^\/model\/([^/]+)\/(?:converse|converse-stream|invoke|invoke-with-response-stream)$/;

const profile = /^(?:us-gov|us|eu|apac|au|ca|jp|global)\./;

let known: ReadonlyMap<string, readonly Route[]> | undefined;

/** By the id without the prefix of a profile. */
function routesOf(id: string): readonly Route[] {
  known ??= new Map(
    seedRows
      .flatMap((row) => readModelRow(row).deployments)
      .filter(({ provider, routes }) => provider === 'bedrock' && routes !== undefined)
      .map(({ upstreamId, routes = [] }) => [upstreamId.replace(profile, ''), routes]),
  );
  return known.get(id.replace(profile, '')) ?? [];
}

/** Refuses a known model by an id that it does not have, or that the calling region does not have. */
export function checkRoute({ path, headers }: SandboxRequest): void {
  const id = decodeURIComponent(called.exec(path)?.[1] ?? '');
  const routes = routesOf(id);
  if (routes.length === 0) return;
  const same = routes.filter(({ upstreamId }) => upstreamId === id);
  if (same.length === 0 && !profile.test(id)) {
    refuse(
      `Invocation of model ID ${id} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
    );
  }
  // A key says nothing of the region; the host is the sandbox's own.
  const [, region] =
    /Credential=[^/]{1,128}\/\d{8}\/([^/]{1,64})\//.exec(textOf(headers.authorization)) ?? [];
  const isThere = ({ from }: Route) =>
    region === undefined || !from || from.some((group) => isWithin(region, group));
  if (!same.some(isThere)) refuse('The provided model identifier is invalid.');
}
