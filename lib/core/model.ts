/**
 * A catalog row: everything routing, normalization and pricing need to know of a model. Facts are data: nothing is
 * ever guessed from a model's name.
 */
import type { ParameterName, ReasoningEffort } from './generation/request.ts';
import type { ModelEndpoint } from './operations.ts';

export const modelStatuses = ['active', 'deprecated', 'inactive', 'retired'] as const;
export type ModelStatus = (typeof modelStatuses)[number];

/** How a model is told how hard to think, on the wire of its family. */
export type ReasoningStyle =
  /** A named effort (OpenAI `reasoning_effort`, gpt-oss on Bedrock). */
  | 'effort'
  /** A number of tokens (Claude up to 4.5, Gemini 2.5). */
  | 'budget'
  /** Adaptive thinking with a named effort (Claude from 4.6 on). */
  | 'adaptive'
  /** A named thinking level (Gemini 3 and later). */
  | 'level'
  /** On (`high`) or off (`none`), and nothing between (Kimi K2, GLM, MiniMax). */
  | 'switch'
  /** A block of its own that holds a named effort (Amazon Nova 2). */
  | 'config';

export interface ReasoningTraits {
  readonly style: ReasoningStyle;
  /** Accepted efforts, in rising order; `none` is among them where thinking can be switched off. */
  readonly efforts: readonly ReasoningEffort[];
  /** What the model does when no effort is sent. */
  readonly defaultEffort: ReasoningEffort;
  /** For style `budget`: thinking tokens, lowest and highest. */
  readonly budget?: { readonly min: number; readonly max: number };
  /** How thinking is switched off where that needs more than leaving it out. */
  readonly off?: 'omit' | 'disabled' | 'zero';
}

export interface Traits {
  readonly reasoning?: ReasoningTraits;
  /** Parameters that the model always refuses. */
  readonly refuses: readonly ParameterName[];
  /** Parameters that it refuses while it reasons (effort other than `none`). */
  readonly refusesWhileReasoning: readonly ParameterName[];
  /** Tool choices it refuses: `required` and named choices, on some models. */
  readonly toolChoices?: readonly ('none' | 'auto' | 'required' | 'named')[];
  /** False: it takes no tools while it reasons. */
  readonly toolsWhileReasoning?: boolean;
  /** Structured output on the model's own wire: `schema` (JSON Schema), `object` (any JSON), or not at all. */
  readonly structuredOutput?: 'schema' | 'object';
  /** Where it takes cache points, at providers that ask for them by model. */
  readonly cachePoints?: readonly ('tools' | 'system' | 'messages')[];
  /** True: it searches the web by itself when asked to, at providers whose wire has that. */
  readonly webSearch?: boolean;
  /** Range of `temperature`, where narrower than 0 to 2. */
  readonly temperature?: { readonly max: number };
  /** Every model that embeds has them. */
  readonly embedding?: EmbeddingTraits;
  /** Every model that draws has them. */
  readonly image?: ImageTraits;
}

/** What an embedding model makes of a text. */
export interface EmbeddingTraits {
  readonly dimensions: {
    /** What it gives when nobody asks for a number. */
    readonly default: number;
    /** All it gives, where these are a few. */
    readonly values?: readonly number[];
    /** All it gives, where any number in a range will do. With neither, the default is all. */
    readonly range?: { readonly min: number; readonly max: number };
    /** Who makes a vector shorter than the default: the host, or the gateway by cutting it and normalizing the rest. */
    readonly shortenedBy?: 'host' | 'gateway';
    /** False: what the host makes shorter than the default has no length of one, so that the gateway normalizes it. */
    readonly normalizedUpstream?: boolean;
  };
  /**
   * How it tells a query from a document: by a field of the wire, or by what stands before the text. Absent: it makes
   * no difference.
   */
  readonly inputTypes?: 'field' | 'prefix';
  /** What stands before a text, where `inputTypes` is `prefix`; absent: nothing. */
  readonly prefixes?: { readonly query?: string; readonly document?: string };
  /** How many texts one call of it takes, where that is fewer than its wire takes. */
  readonly batchSize?: number;
  /** The protocol of the model at a provider that has several. */
  readonly protocol?: EmbeddingProtocolName;
}

export const embeddingProtocols = ['titan', 'nova', 'cohere', 'embed-content'] as const;
export type EmbeddingProtocolName = (typeof embeddingProtocols)[number];

/** What an image model draws; a list that is absent holds whatever the operation knows. */
export interface ImageTraits {
  readonly sizes?: readonly string[];
  readonly qualities?: readonly string[];
  readonly backgrounds?: readonly string[];
  readonly outputFormats?: readonly string[];
  /** How many images one request may ask for, where that is fewer than ten. */
  readonly maxImages?: number;
}

/** Nano-dollars (1e-9 USD) for one token of each class. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Null: as `input`. */
  readonly cachedInput: number | null;
  /** Null: as `input`. */
  readonly cacheWrite: number | null;
  /** Absent: as `output`. */
  readonly reasoning?: number;
  /** Absent: as `input`. */
  readonly imageInput?: number;
  /** Absent: as `output`. */
  readonly imageOutput?: number;
}

export interface Price extends TokenPrices {
  /** Above so many input tokens, these prices hold for the whole request. */
  readonly tiers?: readonly (TokenPrices & { readonly aboveInputTokens: number })[];
  /** Nano-dollars for one search of the web; absent: not known, unless the request has a price. */
  readonly webSearch?: number;
  /** Nano-dollars for a request that searched the web, however often. */
  readonly webSearchRequest?: number;
}

/** A price and the Unix second from which it holds. */
export interface DatedPrice {
  readonly from: number;
  readonly price: Price;
}

/** How long a target may take, in milliseconds. */
export interface ModelTimeouts {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** From then until the first byte of a streamed answer. */
  readonly firstByteMs: number;
  /** The same for an answer that is not streamed: its first byte comes when the model has finished. */
  readonly bodyMs: number;
  /** Between any two reads after the first. */
  readonly idleMs: number;
}

/** One place where a model is served. */
export interface Deployment {
  readonly provider: string;
  /** Provider region, or `global`. */
  readonly region: string;
  /** What the provider calls the model. */
  readonly upstreamId: string;
  /** Where this provider asks other prices than the model's; oldest first. */
  readonly prices?: readonly DatedPrice[];
}

export interface Model {
  /** `owner/model`. */
  readonly id: string;
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
  readonly status: ModelStatus;
  /** For a model that is on its way out: the id to use instead. */
  readonly replacement?: string;
  readonly endpoints: readonly ModelEndpoint[];
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] };
  /** In tokens; `null` where unknown. */
  readonly limits: {
    readonly context: number | null;
    readonly input: number | null;
    readonly output: number | null;
  };
  readonly traits: Traits;
  /** Oldest first. Empty where no price is known: cost is then unknown, never 0. */
  readonly prices: readonly DatedPrice[];
  /** The first is preferred. */
  readonly deployments: readonly Deployment[];
  readonly timeouts: ModelTimeouts;
}

/** One model at one place: what a request is sent to. */
export interface Target {
  readonly model: Model;
  readonly deployment: Deployment;
}
