/**
 * What the embedding models of the sandbox take: the catalog's own figures. A model that the catalog does not know takes
 * anything.
 */
import { seedRows } from '../../infra/catalog/seed.ts';
import type { EmbeddingTraits, Model } from '../../lib/core/catalog/model.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { upstreamIdsOf } from '../context-limit.ts';
import { countTokens } from '../script.ts';
import { base64Of, embed, type Role } from './vector.ts';

export interface SandboxEmbedder {
  readonly whole: number;
  /** Whether it gives so many dimensions. */
  readonly gives: (dimensions: number) => boolean;
  /** Whether the number of dimensions is fixed. */
  readonly isFixed: boolean;
  readonly traits: Partial<EmbeddingTraits>;
  readonly limit: number;
}

let models: ReadonlyMap<string, Model> | undefined;

/** Whether the catalog knows an embedding model by this name of a provider's. */
export const isEmbedder = (upstreamId: string): boolean => find(upstreamId) !== undefined;

function find(upstreamId: string): Model | undefined {
  models ??= new Map(
    seedRows
      .map((row) => readModelRow(row))
      .filter(({ traits }) => traits.embedding !== undefined)
      .flatMap((model) => upstreamIdsOf(model).map((id): [string, Model] => [id, model])),
  );
  return models.get(upstreamId);
}

export function embedderOf(upstreamId: string): SandboxEmbedder {
  const model = find(upstreamId);
  const traits = model?.traits.embedding;
  const { default: whole = 1024, values, range } = traits?.dimensions ?? {};
  const gives = (asked: number) =>
    model === undefined ||
    asked === whole ||
    values?.includes(asked) === true ||
    (range !== undefined && asked >= range.min && asked <= range.max);
  return {
    whole,
    gives,
    isFixed: model !== undefined && values === undefined && range === undefined,
    traits: traits ?? {},
    limit: model?.limits.context ?? 8192,
  };
}

const prefixes: readonly [RegExp, Role][] = [
  [/^Instruct: [^\n]*\nQuery: ?/, 'query'],
  [/^task: search result \| query: /, 'query'],
  [/^title: [^|]* \| text: /, 'document'],
];

/** A text as its model encodes it, by a prefix or by the field of the protocol. */
export function encodeText(
  text: string,
  { traits, whole }: SandboxEmbedder,
  { role, dimensions = whole }: { role: Role; dimensions?: number | undefined },
): Float32Array {
  if (traits.inputTypes !== 'prefix') return embed(text, role, dimensions);
  const [prefix, named] = prefixes.find(([pattern]) => pattern.test(text)) ?? [/^/, 'document' as const];
  return embed(text.replace(prefix, ''), named, dimensions);
}

export const countTexts = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + countTokens(text), 0);

/** The first text that is longer than the model reads. */
export const tooLong = (texts: readonly string[], { limit }: SandboxEmbedder): number | undefined => {
  const index = texts.findIndex((text) => countTokens(text) > limit);
  return index < 0 ? undefined : index;
};

/** The vectors of an answer in the form of OpenAI. `format`: as the caller gives it. */
export function listVectors(
  texts: readonly string[],
  embedder: SandboxEmbedder,
  how: { role: Role; dimensions?: number | undefined },
  format: unknown,
): readonly object[] {
  return texts.map((text, index) => {
    const vector = encodeText(text, embedder, how);
    const embedding = format === 'base64' ? base64Of(vector) : Array.from(vector);
    return { object: 'embedding', index, embedding };
  });
}
