/**
 * A catalog row: all facts about a model that routing, normalization and pricing need. Facts are data: nothing is derived from
 * a model's name.
 */

import type { Credential } from '../credential.ts';
import type { ParameterName, ReasoningEffort } from '../generation/request.ts';
import type { ModelEndpoint } from './model-endpoints.ts';
import type { DatedPrice } from './price.ts';
import type { TranscriptionTraits } from './transcription-traits.ts';

export const modelStatuses = ['active', 'deprecated', 'inactive', 'retired'] as const;
export type ModelStatus = (typeof modelStatuses)[number];

/** How a reasoning effort is sent to a model, in the protocol of its family. */
export type ReasoningStyle =
  /** A named effort (OpenAI `reasoning_effort`, gpt-oss on Bedrock). */
  | 'effort'
  /** A number of tokens (Claude up to 4.5, Gemini 2.5). */
  | 'budget'
  /** Adaptive thinking with a named effort (Claude from 4.6 on). */
  | 'adaptive'
  /** A named thinking level (Gemini 3 and later). */
  | 'level'
  /** On (`high`) or off (`none`), nothing in between (Kimi K2, GLM, MiniMax). */
  | 'switch'
  /** A separate block with a named effort (Amazon Nova 2). */
  | 'config';

export interface ReasoningTraits {
  readonly style: ReasoningStyle;
  /** Accepted efforts, in rising order; with `none` if reasoning can be switched off. */
  readonly efforts: readonly ReasoningEffort[];
  /** The effort that the model uses by default. */
  readonly defaultEffort: ReasoningEffort;
  /** For style `budget`: the range of thinking tokens. */
  readonly budget?: { readonly min: number; readonly max: number };
  /** How reasoning is switched off, if omitting the parameter is not enough. */
  readonly off?: 'omit' | 'disabled' | 'zero';
}

export interface Traits {
  readonly reasoning?: ReasoningTraits;
  /** Parameters that the model always rejects. */
  readonly refuses: readonly ParameterName[];
  /** Parameters that it rejects while it reasons (any effort but `none`). */
  readonly refusesWhileReasoning: readonly ParameterName[];
  /** The accepted tool choices, if not all: some models reject `required` and named choices. */
  readonly toolChoices?: readonly ('none' | 'auto' | 'required' | 'named')[];
  /** False: the chat protocol does not accept tools while it reasons. */
  readonly toolsWhileReasoning?: boolean;
  /** True: it is served by the Responses protocol only, and not by the chat protocol. */
  readonly onlyResponses?: boolean;
  /** Native structured output: `schema` (JSON Schema), `object` (any JSON); absent: none. */
  readonly structuredOutput?: 'schema' | 'object';
  /** Where it accepts cache points, at providers that support them by model. */
  readonly cachePoints?: readonly ('tools' | 'system' | 'messages')[];
  /** True: it takes images in their original detail, where the protocol has details. */
  readonly originalDetail?: boolean;
  /** True: it can search the web itself, at providers whose protocol supports that. */
  readonly webSearch?: boolean;
  /** True: it can generate what is missing between two texts, at providers whose protocol supports that. */
  readonly fillsIn?: boolean;
  /** The range of `temperature`, if narrower than 0 to 2. */
  readonly temperature?: { readonly max: number };
  /** How many tokens an answer rarely exceeds, so that less than the maximum may be reserved; absent: a default. */
  readonly usualOutput?: number;
  /** Present for every embedding model. */
  readonly embedding?: EmbeddingTraits;
  /** Present for every image model. */
  readonly image?: ImageTraits;
  /** The facts about a model that speaks. */
  readonly speech?: SpeechTraits;
  /** The facts about a model that transcribes. */
  readonly transcription?: TranscriptionTraits;
}

/** The facts about an embedding model. */
export interface EmbeddingTraits {
  readonly dimensions: {
    /** The number of dimensions by default. */
    readonly default: number;
    /** All supported numbers, if they are a few. */
    readonly values?: readonly number[];
    /** The range of supported numbers. With neither, only the default is supported. */
    readonly range?: { readonly min: number; readonly max: number };
    /** Who shortens a vector: the host, or the gateway by cutting and normalizing it. */
    readonly shortenedBy?: 'host' | 'gateway';
    /** False: the host does not normalize shortened vectors, so the gateway does. */
    readonly normalizedUpstream?: boolean;
  };
  /** How the input type (query or document) is sent: as a field, or as a prefix of the text. Absent: there is no such type. */
  readonly inputTypes?: 'field' | 'prefix';
  /** The prefixes, if `inputTypes` is `prefix`. */
  readonly prefixes?: { readonly query?: string; readonly document?: string };
  /** What its provider counts tokens with, where the gateway has it. */
  readonly tokenizer?: 'cl100k_base';
  /** The maximum of texts in one call, if lower than the protocol's. */
  readonly batchSize?: number;
  /** The protocol of the model at a provider that has several. */
  readonly protocol?: EmbeddingProtocolName;
}

export const embeddingProtocols = ['titan', 'nova', 'cohere', 'embed-content'] as const;
export type EmbeddingProtocolName = (typeof embeddingProtocols)[number];

/** The facts about an image model. An absent list means every value of the operation. */
export interface ImageTraits {
  readonly sizes?: readonly string[];
  readonly qualities?: readonly string[];
  readonly backgrounds?: readonly string[];
  readonly outputFormats?: readonly string[];
  readonly complexities?: readonly string[];
  /** The maximum of images in one request, if lower than ten. */
  readonly maxImages?: number;
  /** How it edits images. Absent: it does not. */
  readonly edits?: EditTraits;
}

export interface EditTraits {
  /** The maximum of images that are sent, if lower than sixteen. */
  readonly maxInputs?: number;
  /** True: a mask says which part of the first image is edited. */
  readonly masks?: boolean;
  /** True: drawings over the first image guide the edit. */
  readonly markup?: boolean;
  /** Values of `input_fidelity`. Absent: none. */
  readonly fidelities?: readonly string[];
}

export const speechFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SpeechFormat = (typeof speechFormats)[number];

/** The facts about a model that speaks. An absent list means every value of the operation. */
export interface SpeechTraits {
  /** The first is that of a request without one, where `mp3` is none of them. */
  readonly formats?: readonly SpeechFormat[];
  readonly voices?: readonly string[];
  /** True: voices that an account has made are taken by their id. */
  readonly takesOwnVoices?: boolean;
  /** Names of other models' voices, and which of its own stands for each. */
  readonly likeVoices?: Readonly<Record<string, string>>;
  /** The most characters of a text, if not 4,096. */
  readonly maxInput?: number;
  /** Parameters that have no effect. */
  readonly refuses?: readonly ('instructions' | 'speed')[];
  /** True: it is charged for by tokens, whose counts come with events only. */
  readonly countsTokens?: boolean;
}

/** The timeouts of a target, in milliseconds. */
export interface ModelTimeouts {
  /** To connect. */
  readonly connectMs: number;
  /** From then to the first byte of a streamed response. */
  readonly firstByteMs: number;
  /** The same for a response that is not streamed: its first byte comes when the model has finished. */
  readonly bodyMs: number;
  /** Between two chunks. */
  readonly idleMs: number;
}

/** One provider and region that serves a model. */
export interface Deployment {
  readonly provider: string;
  /** Provider region, or `global`. */
  readonly region: string;
  /** The provider's id of the model. */
  readonly upstreamId: string;
  /** The prices of this deployment, if they differ from the model's. Oldest first. */
  readonly prices?: readonly DatedPrice[];
  /** True: as preferred as the one before it, so that conversations are spread over both. */
  readonly equalToPrevious?: boolean;
  /** Whether the provider stores or trains on what it is sent, by the operator's contract. Absent: unknown. */
  readonly collectsData?: boolean;
  /** False: nothing is kept after an answer, by the operator's contract. Absent: unknown. */
  readonly retainsData?: boolean;
  /** All regions and region groups (`regions.ts`) that process or keep what is sent. Absent: unknown. */
  readonly regions?: readonly string[];
  /** By which routes it is served, the preferred first; the last is as the row itself says. Absent: by one. */
  readonly routes?: readonly [...Route[], Route];
  /** The operator's setting that it does not comply with: it must not be called. */
  readonly barredBy?: string;
}

/** One of the routes to a deployment: Bedrock has ids, prices and regions of its own for the region that calls it. */
export interface Route extends Pick<Deployment, 'upstreamId' | 'regions' | 'prices'> {
  /** The regions and region groups that can call it; absent: all of the partition. */
  readonly from?: readonly string[];
}

export interface Model {
  /** `owner/model`. */
  readonly id: string;
  /** Further names without the owner: the dated snapshots that the provider serves under the upstream id. */
  readonly aliases?: readonly string[];
  readonly owner: string;
  /** Unix seconds. */
  readonly created: number;
  readonly status: ModelStatus;
  /** For a deprecated or retired model: the id to use instead. */
  readonly replacement?: string;
  readonly endpoints: readonly ModelEndpoint[];
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] };
  /** In tokens; `null` if unknown. */
  readonly limits: {
    readonly context: number | null;
    readonly input: number | null;
    readonly output: number | null;
  };
  readonly traits: Traits;
  /** Oldest first. Empty if no price is known: the cost is then unknown, never 0. */
  readonly prices: readonly DatedPrice[];
  /** The first is preferred. */
  readonly deployments: readonly Deployment[];
  readonly timeouts: ModelTimeouts;
}

/** One deployment of one model: what a request is sent to. */
export interface Target {
  readonly model: Model;
  readonly deployment: Deployment;
  /** The tenant's own, with which it is called; absent: the gateway's account. */
  readonly credential?: Credential;
}

export const isServed = ({ status }: Model): boolean => status === 'active' || status === 'deprecated';
