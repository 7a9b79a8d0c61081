/** How long an input each model takes: the catalog's own figures, so that the sandbox refuses what the provider would. */
import { seedRows } from '../infra/catalog/seed.ts';
import type { Model } from '../lib/core/catalog/model.ts';
import { readModelRow } from '../lib/stores/catalog/model-row.ts';
import type { Prompt } from './exchange.ts';
import { countInput } from './script.ts';

/** Refuses with the provider's own message. */
type RefuseContext = (counted: number, limit: number) => never;

/** Refuses an input that is longer than its model takes. */
export function checkContext(prompt: Prompt, refuse: RefuseContext): void {
  const excess = findExcess(prompt);
  if (excess) refuse(excess.counted, excess.limit);
}

/** By how much an input is longer than its model takes. Models that are not in the catalog take any. */
export function findExcess(prompt: Prompt): { counted: number; limit: number } | undefined {
  const limit = limitOf(prompt.model);
  const counted = countInput(prompt);
  return limit !== null && counted > limit ? { counted, limit } : undefined;
}

/** All ids that its providers have for a model. */
export const upstreamIdsOf = ({ deployments }: Model): readonly string[] =>
  deployments.flatMap(({ upstreamId, routes = [] }) => [
    upstreamId,
    ...routes.map((route) => route.upstreamId),
  ]);

let limits: ReadonlyMap<string, number | null> | undefined;

function limitOf(upstreamId: string): number | null {
  limits ??= new Map(
    seedRows
      .map((row) => readModelRow(row))
      .flatMap((model) =>
        upstreamIdsOf(model).map((id): [string, number | null] => [
          id,
          model.limits.input ?? model.limits.context,
        ]),
      ),
  );
  return limits.get(upstreamId) ?? null;
}
