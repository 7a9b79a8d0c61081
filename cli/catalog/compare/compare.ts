/** Compares the deployments of a catalog with a public price file: only what would change a bill, a limit or a choice. */

import { type DeploymentNotes, readRowNotes } from '../../../lib/admin/catalog/row-notes.ts';
import { priceOf } from '../../../lib/core/accounting/price.ts';
import type { Deployment, Model } from '../../../lib/core/catalog/model.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { ownPrices, thresholdsOf } from './own-prices.ts';
import type { PublicDeployment, PublicFile, PublicModel } from './public-deployment.ts';

interface Difference {
  readonly model: string;
  /** `provider:region`. */
  readonly deployment: string;
  readonly field: string;
  /** In the catalog. */
  readonly here: number | string;
  /** In the file. */
  readonly there: number | string;
}

export interface Comparison {
  /** How many deployments the file has, too. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  /** How many differences have a reason in their row. */
  readonly explained: number;
  /** The served deployments that the file does not have. */
  readonly unknown: readonly { readonly model: string; readonly deployment: string }[];
  /** The active models of the file that the catalog does not have. */
  readonly missing: readonly PublicModel[];
}

/** A deployment in the catalog, with its model and the notes of its row. */
interface Entry {
  readonly model: Model;
  readonly deployment: Deployment;
  readonly notes: DeploymentNotes;
}

/** `at` is a day: the prices of its start are compared, and what has ended by then counts as ended. Rejects malformed entries. */
export function compareWithFile(rows: readonly unknown[], file: PublicFile, at: string): Comparison {
  const entries = rows.flatMap(entriesIn);
  const found = entries.map((entry) => ({ entry, there: file.find(entry.deployment) }));
  const compared = found.flatMap(({ entry, there }) => (there ? [{ entry, there }] : []));
  const results = found.map(({ entry, there }) => {
    const differences = there ? differencesOf(entry, there, at) : [];
    return explain(entry, [...pastEnd(entry, at), ...differences]);
  });
  const known = new Set(entries.flatMap((entry) => keysOf(entry, file)));
  return {
    compared: compared.length,
    differences: results.flatMap(({ differences }) => differences),
    explained: results.reduce((sum, { explained }) => sum + explained, 0),
    unknown: found
      .filter(({ entry, there }) => !there && isServed(entry.model))
      .map(({ entry }) => ({ model: entry.model.id, deployment: nameOf(entry.deployment) })),
    missing: file.listActive(at).filter(({ key }) => !known.has(key)),
  };
}

function entriesIn(row: unknown): readonly Entry[] {
  const model = readModelRow(row, 'ignore');
  const { deployments } = readRowNotes(row);
  return model.deployments.map((deployment, index) => ({
    model,
    deployment,
    notes: deployments[index] ?? {},
  }));
}

/** The entries of the file for a deployment, and for the dated names of its model. */
const keysOf = ({ model, deployment }: Entry, file: PublicFile): readonly string[] =>
  [deployment.upstreamId, ...(model.aliases ?? [])].flatMap(
    (upstreamId) => file.find({ ...deployment, upstreamId })?.key ?? [],
  );

const isServed = ({ status }: Model) => status === 'active' || status === 'deprecated';

const nameOf = ({ provider, region }: Deployment) => `${provider}:${region}`;

type Field = Pick<Difference, 'field' | 'here' | 'there'>;

function differencesOf(entry: Entry, there: PublicDeployment, at: string): readonly Field[] {
  const hasEnded = there.ends !== undefined && there.ends <= at;
  if (!isServed(entry.model)) {
    return hasEnded ? [] : [{ field: 'status', here: entry.model.status, there: 'active' }];
  }
  if (hasEnded) {
    const isKnown = pastEnd(entry, at).length > 0;
    return isKnown ? [] : [{ field: 'status', here: entry.model.status, there: `ended on ${there.ends}` }];
  }
  return [
    ...endDifference(entry, there),
    ...limitDifferences(entry, there),
    ...priceDifferences(entry, there, at),
  ];
}

/** A deployment that the catalog itself says has ended. */
function pastEnd({ model, notes: { ends } }: Entry, at: string): readonly Field[] {
  if (ends === undefined || ends > at || !isServed(model)) return [];
  return [{ field: 'status', here: model.status, there: `ended on ${ends}` }];
}

/** An end that only the catalog knows is not a difference: a file that does not have it may be older. */
function endDifference({ notes }: Entry, { ends }: PublicDeployment): readonly Field[] {
  return ends === undefined || ends === notes.ends
    ? []
    : [{ field: 'ends', here: notes.ends ?? 'unknown', there: ends }];
}

/** Files round limits, count 128,000 for 131,072, or leave room for the answer; some give the context as the input. */
const limitTolerance = 0.05;

function limitDifferences({ model: { limits } }: Entry, there: PublicDeployment): readonly Field[] {
  const ours = { input: [limits.input, limits.context], output: [limits.output] };
  return (['input', 'output'] as const).flatMap((name) => {
    const other = there.limits[name];
    const known = ours[name].filter((limit) => limit !== null);
    const isNear = (limit: number) => Math.abs(limit - (other ?? 0)) <= limitTolerance * limit;
    if (other === undefined || known[0] === undefined || known.some(isNear)) return [];
    return [{ field: `limits.${name}`, here: known[0], there: other }];
  });
}

function priceDifferences(
  { model, deployment }: Entry,
  there: PublicDeployment,
  at: string,
): readonly Field[] {
  const price = priceOf({ model, deployment }, Date.parse(at) / 1000)?.price;
  if (!price) return [{ field: 'price', here: 'unknown', there: there.prices.get('input') ?? 'unknown' }];
  const byHour = ownPrices(price);
  const differing = [...there.prices].flatMap(([field, usd]) => {
    const here = byHour.map((pricesOf) => pricesOf(field));
    if (!isCharged(field, model) || here.some((one) => one !== undefined && isSame(one, usd))) return [];
    return [{ field, here: here[0] ?? 'unknown', there: usd }];
  });
  const onlyHere = thresholdsOf(price).filter((above) => !there.prices.has(`above ${above} input`));
  return [
    ...differing,
    ...onlyHere.map((above) => ({ field: `above ${above} input`, here: 'set', there: 'none' })),
  ];
}

const tierPattern = /^(?!above )\S+ /;

/**
 * Files have prices of things that a model is not used for here; service tiers are asked for only to generate text, and batches for
 * vectors too.
 */
function isCharged(field: string, { endpoints, modalities, traits }: Model): boolean {
  const isTier = tierPattern.test(field);
  const isOfVectors = field.startsWith('batch ') && endpoints.includes('embeddings');
  if (isTier && !isOfVectors && !endpoints.includes('responses')) return false;
  if (field === 'webSearch') return traits.webSearch === true;
  if (/imageInput$/i.test(field)) return modalities.input.includes('image');
  if (/audioInput$/i.test(field)) return modalities.input.includes('audio');
  return !field.endsWith('imageOutput') || modalities.output.includes('image');
}

const isSame = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(one, other);

/** Leaves out the differences that the row explains, and adds the explanations without a difference. */
function explain({ model, deployment, notes }: Entry, found: readonly Field[]) {
  const explained = new Set(
    (notes.differs ?? []).flatMap(({ file, fields }) => (file === 'litellm' ? fields : [])),
  );
  const idle = [...explained].filter((field) => found.every((one) => one.field !== field));
  const open = [
    ...found.filter(({ field }) => !explained.has(field)),
    ...idle.map((field) => ({ field, here: 'has a reason', there: 'no difference' })),
  ];
  return {
    differences: open.map((one) => ({ model: model.id, deployment: nameOf(deployment), ...one })),
    explained: found.length - found.filter(({ field }) => !explained.has(field)).length,
  };
}
