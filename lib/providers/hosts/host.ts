/**
 * What a row of the host table holds: an OpenAI-compatible host, as data. `HostSettings` is the part that operators may
 * also give for hosts of their own; the rest says how the sandbox simulates the host.
 */
import type { GenerationParameters, ParameterName, ReasoningEffort } from '../../core/generation/request.ts';
import type { Dialect } from '../../protocols/openai-chat/dialect.ts';
import type { EmbeddingDialect } from '../../protocols/openai-embeddings.ts';
import type { RerankDialect } from '../../protocols/rerank.ts';
import type { OptionalRerank } from '../rerank-rules.ts';

export interface HostSettings {
  /** Up to and including the version segment. Absent where each operator has their own: then it is a setting. */
  readonly baseUrl?: string;
  /** False for a host that may be called without an API key. */
  readonly needsKey?: boolean;
  readonly dialect?: Dialect;
  /** Parameters that the host refuses or ignores, beside those of OpenAI's own platform. */
  readonly unsupported?: readonly ParameterName[];
  /** Parameters that it takes beside those that most hosts take: of OpenAI's own platform, or of open models. */
  readonly takes?: readonly ParameterName[];
  /** Values of `service_tier` that the host does not have, where it supports the parameter. */
  readonly unsupportedTiers?: readonly NonNullable<GenerationParameters['service_tier']>[];
  /** Efforts that the host does not have, and the ones it uses in their place. */
  readonly replacedEfforts?: Readonly<Partial<Record<ReasoningEffort, ReasoningEffort>>>;
  readonly maxTemperature?: number;
  /** The highest `n`; absent: as high as OpenAI's. */
  readonly choices?: number;
  /** Whether it takes the names of participants. */
  readonly takesNames?: boolean;
  /** Whether it fetches images by URL. Where it does not, the gateway fetches them. */
  readonly takesImageUrls?: boolean;
  /** Whether the results of tools may be more than text. */
  readonly takesImagesInResults?: boolean;
  /** What stands before the path of a request that continues an assistant message, if it has another one. */
  readonly continuedPath?: string;
  /** The path of requests that fill in between two texts; absent: it cannot. */
  readonly fillInPath?: string;
  /** Whether it continues an assistant message while the model reasons; true where absent. */
  readonly continuesWhileReasoning?: boolean;
  /** Absent for a host that does not embed. */
  readonly embeddings?: HostEmbeddings;
  /** Whether it has OpenAI's moderation API. */
  readonly moderates?: boolean;
  /** Absent for a host that does not rerank. */
  readonly rerank?: HostRerank;
  /** Whether it has OpenAI's speech API. */
  readonly speaks?: boolean | 'mistral' | 'minimax';
  /** Whether it transcribes, and by which protocol; true: OpenAI's. */
  readonly transcribes?: boolean | 'mistral' | 'together';
}

interface HostRerank extends Omit<RerankDialect, 'readFailure'> {
  /** Parameters that it takes beside `top_n`. */
  readonly takes?: readonly OptionalRerank[];
}

interface HostEmbeddings extends Partial<EmbeddingDialect> {
  /** Whether it takes the end user; true where absent. */
  readonly takesUser?: boolean;
}

/** Where a host writes its reasoning: a field, a list of details, `<think>` tags in the text, or parts of the content. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'details' | 'tags' | 'parts';

/**
 * How the sandbox simulates the host. `refuses` and `ignores` are written from the host's documentation, apart from
 * `unsupported`, and a test compares the two. Both name fields of the request; `name` and
 * `refusal` are fields of messages.
 */
export interface SandboxBehaviour {
  /** Absent: reasoning is not shown. */
  readonly reasoning?: ReasoningField;
  /** Fields that are answered with 400. */
  readonly refuses?: readonly string[];
  /** Fields that are accepted and have no effect. */
  readonly ignores?: readonly string[];
  /** Fields that it takes, and most hosts do not. */
  readonly takes?: readonly string[];
  /** Whether fields of OpenAI's own platform are refused too, in place of ignored. */
  readonly refusesPlatformFields?: boolean;
  readonly maxTemperature?: number;
  /** Tool call ids have nine characters, and others are refused. */
  readonly shortToolIds?: boolean;
  /** Messages of the assistant without text and calls are refused. */
  readonly refusesEmptyAnswers?: boolean;
  /** A thinking model requires the reasoning of turns with calls in this field. */
  readonly requiresReasoning?: string;
  /** Files in messages are refused. */
  readonly refusesFiles?: boolean;
  /** How it is told to continue a last message of the assistant's. */
  readonly continues?: ContinuedMessages;
  /** The path of requests with a `prompt` and a `suffix`. */
  readonly fillIn?: string;
  /** Turns of user and assistant must alternate. */
  readonly alternates?: boolean;
  readonly alwaysReportsUsage?: boolean;
  /** How its usage states what an answer costs. */
  readonly statesCost?: StatedCost;
}

/** In dollars, as a total in dollars, or in parts of a dollar that xAI calls ticks. */
export type StatedCost = 'cost' | 'total' | 'ticks';

export interface ContinuedMessages {
  /** The field of the message that says so. */
  readonly field: string;
  /** Before the path of such a request, and of no other. */
  readonly path?: string;
  /** A last message of the assistant's without the field is refused. */
  readonly isRequired?: boolean;
  /** The field is refused while the model thinks. */
  readonly onlyWithoutThinking?: boolean;
}

export interface Host extends HostSettings {
  readonly sandbox: SandboxBehaviour;
}
