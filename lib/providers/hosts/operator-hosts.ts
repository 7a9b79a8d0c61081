/**
 * Hosts that an operator defines at run time, without code: the row as `hosts.json` has it or the operator's command stores
 * it, and the provider that it describes. A row is the `HostSettings` of the host table with a name.
 *
 * Only operators write these rows: nothing in a request can set or change an address.
 */

import * as z from 'zod/mini';
import { isOwnField, json } from '../../core/generation/original/native-fields.ts';
import { parameterNames } from '../../core/generation/parameter-names.ts';
import { reasoningEfforts, serviceTiers } from '../../core/generation/parameters.ts';
import { anthropicMessages, messagesCounter } from '../../protocols/anthropic-messages/protocol.ts';
import type { UpstreamKind } from '../../protocols/failure.ts';
import type { Provider } from '../provider.ts';
import { isProviderName, ownNames } from '../provider-names.ts';
import { optionalRerank } from '../rerank-rules.ts';
import type { HostSettings } from './host.ts';
import { addressFault } from './host-address.ts';
import { type HostProvider, hostProvider } from './host-provider.ts';
import { hosts } from './hosts.ts';

export interface OperatorHost extends HostSettings {
  readonly name: string;
  readonly baseUrl: string;
  /** Names that callers may give in `native_fields` beside those of a server of the operator's own. */
  readonly nativeFields?: readonly string[];
  /** Whether it also serves the Anthropic protocol, at `messages` below `baseUrl`. */
  readonly servesMessages?: boolean;
}

const isBuiltIn = (name: string): boolean => ownNames.includes(name) || Object.hasOwn(hosts, name);

const maxRowBytes = 16_384;

/** What an error may mean at a host; the other kinds are failures of the exchange itself. */
const errorKinds = [
  'upstream_bad_request',
  'upstream_content_policy',
  'upstream_context_length',
  'upstream_credentials',
  'upstream_failed',
  'upstream_model_missing',
  'upstream_overloaded',
  'upstream_quota',
  'upstream_rate_limited',
] as const satisfies readonly UpstreamKind[];

type ObjectKind = typeof z.strictObject;

const flag = () => z.exactOptional(z.boolean());
const count = () => z.exactOptional(z.int().check(z.positive(), z.lte(1_000_000)));
const fieldName = () =>
  z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_.]{0,63}$/, 'must be the name of a field'));
const parameter = () => z.enum(parameterNames);
const fields = () => z.record(fieldName(), z.unknown());

function dialectSchema(object: ObjectKind) {
  const effort = object({
    on: z.exactOptional(fields()),
    off: z.exactOptional(fields()),
    field: z.exactOptional(fieldName()),
  });
  return object({
    names: z.exactOptional(z.partialRecord(parameter(), fieldName())),
    reasonerSystemRole: z.exactOptional(z.literal('developer')),
    efforts: z.exactOptional(
      z.partialRecord(z.enum(['effort', 'budget', 'adaptive', 'level', 'switch', 'config']), effort),
    ),
    always: z.exactOptional(fields()),
    forReasoners: z.exactOptional(fields()),
    requiredToolChoice: z.exactOptional(fieldName()),
    noneLeavesOutTools: flag(),
    formatWithoutTools: flag(),
    withoutStrictTools: flag(),
    shortToolIds: flag(),
    maxToolIdLength: z.exactOptional(z.int().check(z.gte(24), z.lte(1000))),
    continued: z.exactOptional(fields()),
    joinsTexts: flag(),
    mergesTurns: flag(),
    refusesEmptyAnswers: flag(),
    takesCacheControl: flag(),
    alwaysReportsUsage: flag(),
    readsThinkTags: flag(),
    /** The field in which a model's own reasoning goes back. */
    replay: z.exactOptional(z.enum(['reasoning_content', 'reasoning', 'think'])),
    errorCodes: z.exactOptional(z.record(z.string().check(z.maxLength(100)), z.enum(errorKinds))),
    errorStatuses: z.exactOptional(
      z.record(
        z.string().check(z.regex(/^[45]\d\d$/, 'must be a status from 400 to 599')),
        z.enum(errorKinds),
      ),
    ),
    reportObject: z.exactOptional(object({ object: fieldName(), code: fieldName(), message: fieldName() })),
  });
}

function rowSchema(object: ObjectKind) {
  return object({
    name: z.string().check(
      z.refine(isProviderName, 'must be in lower case with single dashes, at most 40 characters'),
      z.refine((name) => !isBuiltIn(name), 'is the name of a built-in provider'),
    ),
    baseUrl: z.string().check(
      z.superRefine((text, context) => {
        const message = addressFault(text);
        if (message !== undefined) context.issues.push({ code: 'custom', message, input: text });
      }),
    ),
    needsKey: flag(),
    dialect: z.exactOptional(dialectSchema(object)),
    unsupported: z.exactOptional(z.array(parameter())),
    takes: z.exactOptional(z.array(parameter())),
    unsupportedTiers: z.exactOptional(z.array(z.enum(serviceTiers))),
    replacedEfforts: z.exactOptional(z.partialRecord(z.enum(reasoningEfforts), z.enum(reasoningEfforts))),
    maxTemperature: z.exactOptional(z.number().check(z.gte(0), z.lte(2))),
    choices: z.exactOptional(z.int().check(z.gte(1), z.lte(128))),
    nativeFields: z.exactOptional(
      z
        .array(
          fieldName().check(z.refine((name) => !isOwnField(name), 'is a field that only the gateway sets')),
        )
        .check(z.maxLength(64)),
    ),
    takesNames: flag(),
    takesImageUrls: flag(),
    takesImagesInResults: flag(),
    servesMessages: flag(),
    /** Whether it has OpenAI's speech API. */
    speaks: flag(),
    /** Whether it has OpenAI's transcription API. */
    transcribes: flag(),
    /** Present for a host that reranks; `{}` for Jina's form, which vLLM has, too. */
    rerank: z.exactOptional(
      object({
        path: z.exactOptional(z.string().check(z.regex(/^(\/[A-Za-z0-9._-]{1,64}){1,8}$/, 'must be a path'))),
        names: z.exactOptional(
          z.partialRecord(z.enum(['documents', 'top_n', ...optionalRerank]), fieldName()),
        ),
        always: z.exactOptional(fields()),
        takes: z.exactOptional(z.array(z.enum(optionalRerank))),
      }),
    ),
    /** Present for a host that embeds; `{}` for the default form of the protocol. */
    embeddings: z.exactOptional(
      object({
        batchSize: count(),
        maxBytes: count(),
        names: z.exactOptional(z.partialRecord(z.enum(['dimensions', 'user', 'input_type']), fieldName())),
        always: z.exactOptional(fields()),
        takesUser: flag(),
      }),
    ),
  });
}

/**
 * Reads a row. Throws Error that names every faulty field. Unknown fields are faults too, unless they are to be ignored: a
 * row that a newer gateway wrote must not be lost to an older one that still runs beside it.
 */
export function readHostRow(value: unknown, unknownFields: 'refuse' | 'ignore' = 'refuse'): OperatorHost {
  if (JSON.stringify(value ?? null).length > maxRowBytes) {
    throw new Error(`Malformed host row: row: must be at most ${maxRowBytes} bytes long`);
  }
  const result = rowSchema(unknownFields === 'refuse' ? z.strictObject : z.object).safeParse(value);
  if (!result.success) {
    throw new Error(`Malformed host row: ${result.error.issues.map(describeIssue).join('; ')}`);
  }
  const { baseUrl, dialect: { replay, ...dialect } = {}, ...others } = result.data;
  return {
    ...others,
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    dialect: { ...dialect, ...(replay && { replay: { field: replay, formats: [others.name] } }) },
  };
}

/**
 * Members that a row leaves out are those of a server of the operator's own: its reasoning may be in `<think>` tags, it has
 * no service tiers, and the gateway fetches the images that callers name.
 */
const {
  dialect: defaultDialect,
  unsupported = [],
  takes = [],
  takesImageUrls = false,
} = hosts['self-hosted'];

export function operatorProvider({
  name,
  dialect,
  nativeFields = [],
  servesMessages = false,
  ...row
}: OperatorHost): Provider {
  const extra = Object.fromEntries(nativeFields.map((field) => [field, json]));
  const host = hostProvider(name, {
    unsupported,
    takes,
    takesImageUrls,
    ...row,
    dialect: {
      ...defaultDialect,
      ...dialect,
      nativeFields: { ...defaultDialect?.nativeFields, ...extra },
    },
  });
  return servesMessages ? servingMessages(host) : host;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.') || 'row';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${field}: unknown field ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return `${field}: must be of type ${issue.expected}`;
    case 'invalid_value':
      return `${field}: must be one of ${issue.values.join(', ')}`;
    case 'invalid_key':
      return `${field}: unknown name`;
    case 'too_big':
      return `${field}: must be at most ${issue.maximum}`;
    case 'too_small':
      return `${field}: must be at least ${issue.minimum}`;
    default:
      return `${field}: ${issue.message}`;
  }
}

/**
 * A host that also serves the Anthropic protocol, below the same address and with the same bearer key. Sources: the
 * documentation of vLLM, SGLang, llama.cpp (its pull request 17570), Ollama ("Anthropic compatibility"), LM Studio
 * ("Anthropic Compatible Endpoints") and LiteLLM ("/v1/messages"). Each takes a bearer key; Ollama's own cloud takes no
 * other. Where the host does not count, the gateway estimates: it answers 404.
 */
function servingMessages(host: HostProvider): Provider {
  const generation = { ...host.generation, protocol: anthropicMessages, counter: messagesCounter };
  return { ...host, messages: () => generation };
}
