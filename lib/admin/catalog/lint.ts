/** Finds faults in catalog rows, in each row and between rows. Used by `catalog lint`, and by a test for the seed. */
import type { Model } from '../../core/catalog/model.ts';
import { providers } from '../../providers/all-providers.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import { lintPrices } from './lint-prices.ts';
import { faultsInNotes } from './row-notes.ts';

interface Fault {
  /** The id of the model, or the number of the row if the id cannot be read. */
  readonly model: string;
  readonly fault: string;
}

export interface LintedRow {
  readonly row: unknown;
  /** The id under which it is stored. */
  readonly id?: string;
}

/**
 * Every fault. `others` are models that the rows may refer to, besides each other; `hosts` are the providers that the operator
 * added.
 */
export function lintRows(
  rows: readonly LintedRow[],
  others: readonly Pick<Model, 'id'>[] = [],
  hosts: readonly string[] = [],
): readonly Fault[] {
  const read = rows.map((linted, index) => ({ name: nameOf(linted, index), ...readRow(linted) }));
  const models = read.flatMap(({ model }) => (model ? [model] : []));
  const known = new Set([...models, ...others].map(({ id }) => id));
  const faultsIn = (model: Model) => lintModel(model, known, hosts);
  return [
    ...read.flatMap(({ name, faults }) => faults.map((fault) => ({ model: name, fault }))),
    ...models.flatMap((model) => faultsIn(model).map((fault) => ({ model: model.id, fault }))),
    ...repeated(models.map(({ id }) => id)).map((id) => ({ model: id, fault: 'occurs more than once' })),
  ];
}

function nameOf({ id, row }: LintedRow, index: number): string {
  if (id !== undefined) return id;
  const own = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof own === 'string' ? own : `row ${index + 1}`;
}

function readRow({ row, id }: LintedRow): { readonly model?: Model; readonly faults: readonly string[] } {
  try {
    const model = readModelRow(row);
    const isElsewhere = id !== undefined && model.id !== id;
    const faults = isElsewhere ? [`id: is stored under another id than ${model.id}`] : [];
    return { model, faults: [...faults, ...faultsInNotes(row)] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { faults: message.replace(/^Malformed catalog row: /, '').split('; ') };
  }
}

function lintModel(model: Model, known: ReadonlySet<string>, hosts: readonly string[]): readonly string[] {
  const { status, replacement, deployments } = model;
  return [
    ...lintPrices(model),
    ...unknownProviders(model)
      .filter(({ provider }) => !hosts.includes(provider))
      .map(({ provider, index }) => `deployments.${index}.provider: unknown provider ${provider}`),
    ...repeated(deployments.map(({ provider, region }) => `${provider} in ${region}`)).map(
      (name) => `deployments: ${name} occurs more than once`,
    ),
    ...deployments.flatMap(({ provider, routes }, index) =>
      routes && provider !== 'bedrock'
        ? [`deployments.${index}.ways: only deployments of bedrock have routes`]
        : [],
    ),
    ...(replacement !== undefined && !known.has(replacement)
      ? [`replacement: unknown model ${replacement}`]
      : []),
    ...(replacement !== undefined && status === 'active'
      ? ['replacement: not allowed for an active model']
      : []),
    ...(replacement === model.id ? ['replacement: a model cannot replace itself'] : []),
  ];
}

const unknownProviders = ({ deployments }: Model) =>
  deployments
    .map(({ provider }, index) => ({ provider, index }))
    .filter(({ provider }) => !providers.has(provider));

/** Whether a row names a provider that is not built in: it may be a host that the operator added. */
export const namesUnknownProvider = (rows: readonly LintedRow[]): boolean =>
  rows.some((row) => {
    const { model } = readRow(row);
    return model !== undefined && unknownProviders(model).length > 0;
  });

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
