/**
 * The model list: `GET /v1/models`, public. The operator's aliases are among the models. It is written once for what the process has
 * read of the catalog: anyone may ask for it.
 */
import * as z from 'zod/mini';
import { type Model, type ModelStatus, modelStatuses } from '../../core/catalog/model.ts';
import { isRegionName } from '../../core/catalog/regions.ts';
import type { Endpoint, ReadHeader } from '../../core/endpoint.ts';
import { queryIntegerBetween } from '../../core/formats/query-schema.ts';
import type { AliasTarget } from '../../core/names/names.ts';
import type { ApiKey } from '../../core/ports/api-keys.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { type TaggedJson, taggedJson } from '../tagged-json.ts';
import {
  type Lifecycle,
  lifecycles,
  type ModelObject,
  maxModelAgeSeconds,
  writeAlias,
  writeModel,
} from './model-object.ts';
import { isSupportedName, supportedNames } from './supported.ts';

/** Models of one page. Source: platform.claude.com/docs/en/api/models-list. */
const maxPageModels = 1_000;

/** Characters of an id after or before which a page is. */
const maxCursor = 200;

const cursor = z.optional(z.string().check(z.maxLength(maxCursor)));

const lifecycle = z.enum(lifecycles);

const flag = z.optional(z.enum(['true', 'false']));

const isPlace = (name: string) => name === 'global' || isRegionName(name);

const supports = z.string().check(
  z.maxLength(maxCursor),
  z.refine(
    (text) => text.split(',').every(isSupportedName),
    `must be of: ${supportedNames.join(', ')}, separated by commas`,
  ),
);

export const schema = z.object({
  status: z.optional(z.enum(modelStatuses)),
  lifecycle: z.optional(z.union([lifecycle, z.array(lifecycle).check(z.maxLength(lifecycles.length))])),
  limit: z.optional(queryIntegerBetween(1, maxPageModels)),
  after_id: cursor,
  before_id: cursor,
  /** Comma-separated, or several times: all of them. */
  supports: z.optional(z.union([supports, z.array(supports).check(z.maxLength(supportedNames.length))])),
  region: z.optional(
    z.string().check(z.refine(isPlace, 'must be a region group, such as eu, or a region of AWS')),
  ),
  zdr: flag,
  /** What the key of the request may use. */
  allowed: flag,
});

type Query = Omit<z.infer<typeof schema>, 'lifecycle'> & {
  readonly lifecycle?: Lifecycle | readonly Lifecycle[] | undefined;
};

type Aliases = ReadonlyMap<string, readonly AliasTarget[]>;

/** What is made of one reading of the catalog. */
interface Written {
  readonly models: readonly Model[];
  readonly aliases: Aliases;
  /** By id. */
  readonly all: readonly ModelObject[];
  /** Whole lists, by the status that was asked for, and the one for Anthropic's clients. */
  readonly lists: Map<ModelStatus | typeof unretired | undefined, TaggedJson>;
}

export function modelsEndpoint(catalog: Catalog): Endpoint<typeof schema, Query> {
  let written: Written | undefined;
  return {
    schema,
    read: (query, _, header) => (isOfAnthropic(query, header) ? { ...query, lifecycle: unretired } : query),
    needsKey: ({ allowed }) => allowed?.includes('true') === true,
    async answer({ input: query, key }) {
      const [models, aliases] = await Promise.all([catalog.list(), catalog.aliases()]);
      if (written?.models !== models || written.aliases !== aliases) {
        written = { models, aliases, all: writeAll(models, aliases), lists: new Map() };
      }
      if (isFiltered(query)) return await filtered(catalog, written, { query, key });
      return isWhole(query, written.all) ? wholeList(written, query) : listed(pageOf(written.all, query));
    },
  };
}

const isFiltered = ({ supports: asked, region, zdr, allowed }: Query): boolean =>
  asked !== undefined || region !== undefined || zdr === 'true' || allowed === 'true';

interface Filtering {
  readonly query: Query;
  readonly key: ApiKey | undefined;
}

async function filtered(
  catalog: Catalog,
  { models, aliases, all }: Written,
  { query, key }: Filtering,
): Promise<TaggedJson> {
  const { filteredIds } = await import('./filter-models.ts');
  const ids = await filteredIds(
    catalog,
    { models, aliases },
    {
      supports: [query.supports ?? []]
        .flat()
        .flatMap((text) => text.split(','))
        .filter(isSupportedName),
      region: query.region,
      zdr: query.zdr === 'true',
      ...(query.allowed === 'true' && { key }),
    },
  );
  const page = listed(
    pageOf(
      all.filter(({ id }) => ids.has(id)),
      query,
    ),
  );
  if (query.allowed !== 'true') return page;
  // What one key may use is no one else's, and ends with its permissions.
  return {
    ...page,
    headers: { 'cache-control': 'private, no-cache', vary: 'anthropic-version, authorization' },
  };
}

/** Anthropic's clients offer each model of the list, and Anthropic lists no retired one. */
const unretired: readonly Lifecycle[] = ['active', 'deprecated'];

const isOfAnthropic = ({ status, lifecycle }: Query, header?: ReadHeader): boolean =>
  status === undefined && lifecycle === undefined && header?.('anthropic-version') !== undefined;

function isWhole(
  { lifecycle, limit, after_id, before_id }: Query,
  { length }: readonly ModelObject[],
): boolean {
  const isUnpaged = [after_id, before_id].every((one) => one === undefined) && (limit ?? length) >= length;
  return isUnpaged && (lifecycle === undefined || lifecycle === unretired);
}

function wholeList({ all, lists }: Written, { status, lifecycle }: Query): TaggedJson {
  const key = lifecycle === unretired ? unretired : status;
  const list = lists.get(key) ?? listed(pageOf(all, { status, lifecycle }));
  lists.set(key, list);
  return list;
}

function writeAll(models: readonly Model[], aliases: Aliases): readonly ModelObject[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return [
    ...models.map(writeModel),
    ...[...aliases].flatMap(([name, targets]) => writeAlias(name, targets, byId) ?? []),
  ].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

interface Page {
  readonly data: readonly ModelObject[];
  readonly hasMore: boolean;
}

/** Anthropic's pages: those after an id, or those before one, of which the last are given. The id need not exist any more. */
function pageOf(all: readonly ModelObject[], query: Partial<Query>): Page {
  const { status, lifecycle = lifecycles, limit = all.length, after_id, before_id } = query;
  const found = all.filter(
    (model) =>
      (status === undefined || model.status === status) &&
      lifecycle.includes(model.lifecycle) &&
      (after_id === undefined || model.id > after_id) &&
      (before_id === undefined || model.id < before_id),
  );
  const isBackward = before_id !== undefined && after_id === undefined;
  const data = isBackward ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
  return { data, hasMore: data.length < found.length };
}

function listed({ data, hasMore }: Page): TaggedJson {
  const list = {
    object: 'list',
    data,
    has_more: hasMore,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
  const { headers, ...answer } = taggedJson(list, maxModelAgeSeconds);
  return { ...answer, headers: { ...headers, vary: 'anthropic-version' } };
}
