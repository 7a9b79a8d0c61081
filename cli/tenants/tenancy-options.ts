/** Limits and permissions on the command line: money in US dollars, comma-separated lists. */
import { operations } from '../../lib/core/operations.ts';
import { isModelPattern, isOperationName } from '../../lib/core/tenancy.ts';
import type { Tenancy, TenancyChange } from '../../lib/stores/access/tenancy-fields.ts';
import { type CommandContext, type CommandOption, UsageError } from '../command.ts';
import type { Row } from '../output/rows.ts';
import { limitsRow, readLimits } from './limit-options.ts';

export const operationNames: readonly string[] = operations.map(({ name }) => name);

export const permissionOptions: Readonly<Record<'models' | 'operations', CommandOption>> = {
  models: {
    value: '<list>',
    description: "Allowed models: comma-separated ids, 'openai/*' for all of an owner (default: all)",
  },
  operations: { value: '<list>', description: 'Allowed operations, comma-separated (default: all)' },
};

/** Null for all. */
export function readModels(text: string): readonly string[] | null {
  return readList(text, (entry) => {
    if (isModelPattern(entry)) return entry;
    throw new UsageError(
      `Invalid model: ${entry}. Give a model id (owner/model) or all models of an owner (owner/*).`,
    );
  });
}

/** Null for all. */
export function readOperations(text: string): TenancyChange['operations'] {
  return readList(text, (entry) => {
    if (isOperationName(entry)) return entry;
    throw new UsageError(`Unknown operation: ${entry}. The operations are: ${operationNames.join(', ')}`);
  });
}

function readList<Entry>(text: string, read: (entry: string) => Entry): readonly Entry[] | null {
  if (text === 'all') return null;
  return [...new Set(text.split(',').map((entry) => read(entry.trim())))];
}

/** The limits and permissions of a new key or tenant. */
export function readTenancy(options: CommandContext['options']): Tenancy {
  const limits = Object.entries(readLimits(options)).filter(([, value]) => value !== null);
  const models = options.models === undefined ? null : readModels(options.models);
  const allowed = options.operations === undefined ? null : readOperations(options.operations);
  return {
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(models && { models }),
    ...(allowed && { operations: allowed }),
  };
}

/** The fields of a listing; null where there is no limit. */
export const tenancyRow = ({ limits, models, operations: allowed }: Tenancy): Row => ({
  ...limitsRow(limits),
  models: models ?? null,
  operations: allowed ?? null,
});

/** Permissions as an input of the admin API has them. */
export const toLists = ({ models, operations: allowed }: Pick<TenancyChange, 'models' | 'operations'>) => ({
  ...(models !== undefined && { models: models && [...models] }),
  ...(allowed !== undefined && { operations: allowed && [...allowed] }),
});
