/**
 * The format of a catalog row, in `infra/catalog` and in the table, and its conversion to a Model.
 *
 * Rows are written by people: prices in USD per million tokens, a date instead of Unix seconds, and defaults omitted.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import {
  embeddingProtocols,
  type Model,
  type ModelTimeouts,
  modelStatuses,
  speechFormats,
  type Traits,
} from '../../core/catalog/model.ts';
import { endpoints, type ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import { granularities, optionalTranscription } from '../../core/catalog/transcription-traits.ts';
import { objectOf, strictObjectOf } from '../../core/formats/given-fields.ts';
import { isParameterName } from '../../core/generation/parameter-names.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { isName } from '../../core/names/names.ts';
import { deploymentsSchema, readDeployment, withRoutes } from './deployment-row.ts';
import { pricesSchema } from './price-row.ts';
import { areInOrder, readPrices } from './read-price.ts';

const defaultTimeouts: ModelTimeouts = {
  connectMs: 5_000,
  firstByteMs: 30_000,
  bodyMs: 300_000,
  idleMs: 120_000,
};

const idPattern = /^[a-z0-9-]{1,40}\/[A-Za-z0-9._:-]{1,100}$/;

/** Whether a text has the shape of a model id. */
export const isModelId = (text: string): boolean => idPattern.test(text);

type ObjectKind = typeof strictObjectOf;

const modelId = () => z.string().check(z.regex(idPattern));
const wholeNumber = lazy(() => z.int().check(z.positive()));
const optionalWhole = lazy(() => z.exactOptional(wholeNumber()));
const flag = lazy(() => z.exactOptional(z.boolean()));
const parameterList = lazy(() =>
  z.exactOptional(z.array(z.string().check(z.refine(isParameterName, 'Unknown parameter')))),
);

function traitsSchema(object: ObjectKind) {
  const reasoning = () =>
    object(
      {
        style: z.enum(['effort', 'budget', 'adaptive', 'level', 'switch', 'config']),
        efforts: z.array(z.enum(reasoningEfforts)).check(z.minLength(1)),
        defaultEffort: z.enum(reasoningEfforts),
        budget: () => z.exactOptional(object({ min: z.int(), max: z.int() })),
        off: () => z.exactOptional(z.enum(['omit', 'disabled', 'zero'])),
      },
      z.refine(
        (given) => given.efforts.includes(given.defaultEffort),
        'defaultEffort is not among the efforts',
      ),
      z.refine(
        (given) => given.style !== 'budget' || given.budget !== undefined,
        'Style budget needs a budget',
      ),
    );
  return object({
    reasoning: () => z.exactOptional(reasoning()),
    refuses: parameterList,
    refusesWhileReasoning: parameterList,
    toolChoices: () => z.exactOptional(z.array(z.enum(['none', 'auto', 'required', 'named']))),
    toolsWhileReasoning: flag,
    onlyResponses: flag,
    structuredOutput: () => z.exactOptional(z.enum(['schema', 'object'])),
    cachePoints: () => z.exactOptional(z.array(z.enum(['tools', 'system', 'messages']))),
    originalDetail: flag,
    webSearch: flag,
    fillsIn: flag,
    temperature: () => z.exactOptional(object({ max: z.number() })),
    usualOutput: optionalWhole,
    embedding: () => z.exactOptional(embeddingSchema(object)),
    image: () => z.exactOptional(imageSchema(object)),
    speech: () => z.exactOptional(speechSchema(object)),
    transcription: () => z.exactOptional(transcriptionSchema(object)),
  });
}

function embeddingSchema(object: ObjectKind) {
  return object({
    dimensions: object({
      default: wholeNumber(),
      values: () => z.exactOptional(z.array(wholeNumber())),
      range: () => z.exactOptional(object({ min: wholeNumber(), max: wholeNumber() })),
      shortenedBy: () => z.exactOptional(z.enum(['host', 'gateway'])),
      normalizedUpstream: flag,
    }),
    inputTypes: () => z.exactOptional(z.enum(['field', 'prefix'])),
    prefixes: () =>
      z.exactOptional(
        object({ query: () => z.exactOptional(z.string()), document: () => z.exactOptional(z.string()) }),
      ),
    batchSize: optionalWhole,
    tokenizer: () => z.exactOptional(z.literal('cl100k_base')),
    protocol: () => z.exactOptional(z.enum(embeddingProtocols)),
  });
}

function imageSchema(object: ObjectKind) {
  const names = () => z.exactOptional(z.array(z.string()).check(z.minLength(1)));
  return object({
    sizes: names,
    qualities: names,
    backgrounds: names,
    outputFormats: names,
    complexities: () => z.exactOptional(z.array(z.string())),
    maxImages: optionalWhole,
    edits: () =>
      z.exactOptional(
        object({
          maxInputs: optionalWhole,
          masks: flag,
          markup: flag,
          fidelities: names,
        }),
      ),
  });
}

function speechSchema(object: ObjectKind) {
  const name = z.string().check(z.minLength(1));
  return object({
    formats: () => z.exactOptional(z.array(z.enum(speechFormats)).check(z.minLength(1))),
    voices: () => z.exactOptional(z.array(name).check(z.minLength(1))),
    takesOwnVoices: flag,
    likeVoices: () => z.exactOptional(z.record(name, name)),
    maxInput: optionalWhole,
    refuses: () => z.exactOptional(z.array(z.enum(['instructions', 'speed']))),
    countsTokens: flag,
  });
}

function transcriptionSchema(object: ObjectKind) {
  return object({
    timestamps: () => z.exactOptional(z.array(z.enum(granularities)).check(z.minLength(1))),
    speakers: flag,
    streams: flag,
    translates: flag,
    takes: () => z.exactOptional(z.array(z.enum(optionalTranscription))),
  });
}

function rowSchema(object: ObjectKind) {
  const id = modelId();
  const text = z.string();
  const limit = z.nullable(wholeNumber());
  const prices = pricesSchema(object);
  // For people, and not for requests: lib/admin/catalog/row-notes.ts checks them.
  const note = lazy(() => z.exactOptional(z.unknown()));
  return object(
    {
      id,
      aliases: () =>
        z.exactOptional(z.array(text.check(z.refine(isName, 'Not a name'))).check(z.maxLength(20))),
      /** The release date of the model. */
      created: z.iso.date(),
      status: z.enum(modelStatuses),
      replacement: () => z.exactOptional(id),
      endpoints: z.array(z.enum(endpoints)),
      modalities: object({ input: z.array(text), output: z.array(text) }),
      limits: object({
        context: limit,
        input: limit,
        output: limit,
      }),
      traits: traitsSchema(object),
      ...prices,
      sources: note,
      deployments: deploymentsSchema(object, prices),
      timeouts: () =>
        z.exactOptional(
          object({
            connectMs: optionalWhole,
            firstByteMs: optionalWhole,
            bodyMs: optionalWhole,
            idleMs: optionalWhole,
          }),
        ),
    },
    z.refine((given) => given.price !== undefined || !isServed(given.status), {
      error: 'An active or deprecated model needs a price for input and output: its cost would be unknown',
      path: ['price'],
    }),
    z.refine((given) => [given, ...given.deployments.flatMap(withRoutes)].every(areInOrder), {
      error: 'Later prices must be in chronological order',
      path: ['laterPrices'],
    }),
  );
}

const isServed = (status: string) => status === 'active' || status === 'deprecated';

type ReadRow = z.output<ReturnType<typeof rowSchema>>;

/** Built on first use: a function needs only the lenient schema, and building one takes milliseconds. */
const schemas = {
  refuse: lazy(() => rowSchema(strictObjectOf)),
  ignore: lazy(() => rowSchema(objectOf)),
} as const;

/** Builds the schema for rows of the table ahead of the first one. */
export function prepareForRows(): void {
  schemas.ignore();
}

/**
 * Reads a row. Throws an Error that lists every problem. Unknown fields are problems too, unless `unknownFields` is
 * `ignore`: a row written by a newer gateway must stay readable for an older one that still runs.
 */
export function readModelRow(value: unknown, unknownFields: keyof typeof schemas = 'refuse'): Model {
  const result = schemas[unknownFields]().safeParse(value);
  if (!result.success) {
    throw new Error(`Malformed catalog row: ${result.error.issues.map(describeIssue).join('; ')}`);
  }
  const {
    created,
    traits,
    endpoints,
    price,
    laterPrices,
    sources: _,
    deployments,
    timeouts,
    ...same
  } = result.data;
  const prices = readPrices({ ...(price && { price }), ...(laterPrices && { laterPrices }) });
  return {
    ...same,
    owner: same.id.slice(0, same.id.indexOf('/')),
    created: Date.parse(created) / 1000,
    endpoints: readEndpoints(endpoints),
    traits: readTraits(traits),
    prices,
    deployments: deployments.map((deployment) => readDeployment(deployment, prices)),
    timeouts: { ...defaultTimeouts, ...timeouts },
  };
}

/** Describes a problem. `zod/mini` has no messages of its own. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.') || 'row';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${where}: unknown field ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return `${where}: not of type ${issue.expected}`;
    case 'invalid_value':
      return `${where}: none of ${issue.values.join(', ')}`;
    default:
      return `${where}: ${issue.message}`;
  }
}

/** Every model that can chat answers messages, so rows need not say it. */
function readEndpoints(given: readonly ModelEndpoint[]): readonly ModelEndpoint[] {
  const all = given.includes('chat_completions') ? new Set([...given, 'messages']) : new Set(given);
  return endpoints.filter((endpoint) => all.has(endpoint));
}

const readTraits = (traits: ReadRow['traits']): Traits => ({
  ...traits,
  refuses: traits.refuses?.filter(isParameterName) ?? [],
  refusesWhileReasoning: traits.refusesWhileReasoning?.filter(isParameterName) ?? [],
});
