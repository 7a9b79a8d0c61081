/** What a provider is: how it is reached and what it supports. How it is talked to is a protocol. */
import type { RunUpstream } from '../core/background.ts';
import type { Target } from '../core/catalog/model.ts';
import type { ModelEndpoint } from '../core/catalog/model-endpoints.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type { EmbeddingProtocol, EmbeddingRequest } from '../core/generation/embedding.ts';
import type { ImageProtocol, ImageRequest } from '../core/generation/image.ts';
import type { ModerationProtocol } from '../core/generation/moderation.ts';
import type {
  Compactor,
  EncodedOriginal,
  GenerationProtocol,
  TokenCounter,
} from '../core/generation/original/protocol.ts';
import type { RealtimeProtocol } from '../core/generation/realtime.ts';
import type { GenerationRequest, JsonObject } from '../core/generation/request.ts';
import type { RerankProtocol, RerankRequest } from '../core/generation/rerank.ts';
import type { SpeechProtocol, SpeechRequest } from '../core/generation/speech.ts';
import type { TranscriptionProtocol, TranscriptionRequest } from '../core/generation/transcription.ts';
import type { Counted } from '../core/generation/usage.ts';
import type { FormFile, HttpRequest, HttpResponse } from '../core/ports/http.ts';
import type { ProviderAccess } from '../core/ports/provider-access.ts';
import type { SharedCache } from '../core/ports/shared-cache.ts';
import type { Change, RuleFor, RuleSet } from '../normalization/rule.ts';

/** Adds the gateway's credentials to a request. */
export type Authorize = (
  request: HttpRequest,
  access: ProviderAccess,
  region: string,
) => HttpRequest | Promise<HttpRequest>;

export interface PostOptions {
  /** The provider does not charge for it. */
  readonly free?: true;
  /** Headers beside those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body is sent in, where that takes it as base64. */
  readonly inBase64?: ((base64: string) => JsonObject) | undefined;
  /** The body is a form with these, and what it would have as JSON. */
  readonly files?: readonly FormFile[];
  /** The name of the elements of a list in such a form; absent: the list's with brackets. */
  readonly listName?: ((name: string) => string) | undefined;
}

/** An account of the gateway's with a provider. */
export interface Account {
  /** Posts JSON to a path below the provider's root, with the target's timeouts. */
  readonly post: (path: string, body: JsonObject, options?: PostOptions) => Promise<HttpResponse>;
  /** Changes something that the provider keeps, beside the call for the answer: it is given little time. */
  readonly patch: (path: string, body: JsonObject) => Promise<HttpResponse>;
  /** Reads on what a post has begun, with the target's timeouts. */
  readonly read: (path: string, options?: Pick<PostOptions, 'free'>) => Promise<HttpResponse>;
  /** A call beside the one for the answer, also when that is over. It costs nothing, and is given little time. */
  readonly beside: (method: 'DELETE' | 'GET' | 'POST', path: string) => Promise<HttpResponse>;
  /** The path between the base URL and the protocol's own path; empty for most. */
  readonly scope: string;
  /** Identifies the account at the provider. Not secret. */
  readonly account: string;
}

/** A call of a target, complete except for its body. */
export interface ReadyCall extends Account {
  readonly protocol: GenerationProtocol;
  readonly target: Target;
  readonly request: GenerationRequest;
  readonly sharedCache: SharedCache;
  /** Ends the call for the answer. */
  readonly signal: AbortSignal;
  /** What is kept at the provider for one tenant is not for another. */
  readonly tenant: string | undefined;
  /** The longest that content may be cached at the provider where that is charged for by time. */
  readonly maxCacheSeconds: number;
  /** Records what a call used that was made for the answer, as soon as it is known. */
  readonly noteUse: (used: Counted) => void;
}

/** A call for a run. */
export interface RunCall extends ReadyCall {
  readonly run: RunUpstream;
}

export interface Called {
  readonly response: HttpResponse;
  /** What was changed after the rules. */
  readonly changes: readonly Change[];
}

export interface Generation {
  readonly protocol: GenerationProtocol;
  /** How the target is called, if that takes more than one request; see `callOnce`. */
  readonly call?: (call: ReadyCall) => Promise<Called>;
  /** How a response is created that the provider may keep meanwhile, for a run; absent: as any other. */
  readonly callRun?: (call: RunCall) => Promise<Called>;
  /** Ends such a response, by its id. */
  readonly endRun?: (
    account: Pick<Account, 'beside'> & Pick<RunUpstream, 'warn'>,
    id: string,
  ) => Promise<void>;
  /** Whether a marked prefix is stored, which the provider charges for by time. */
  readonly storesContent?: true;
  /** Absent: the provider does not count, and the gateway estimates. */
  readonly counter?: TokenCounter;
  /** Absent: the model itself writes a summary. */
  readonly compactor?: Compactor;
  /** Whether the provider fetches images by URL; for one that does not, the gateway fetches them. */
  readonly takesImageUrls: boolean;
  /** The same for documents. */
  readonly takesFileUrls?: boolean;
  /** The URLs of videos that the provider fetches; none where absent. */
  readonly takesVideoUrl?: (url: string) => boolean;
  /** The longest body that the provider takes, in bytes; absent: longer than any that the gateway sends. */
  readonly maxRequestBytes?: number;
  /** Whether the protocol has web search; which models can use it is in the catalog. */
  readonly searchesWeb?: boolean;
  /** Whether the target searches for a request that also has functions; absent: it does. */
  readonly searchesBesideFunctions?: (target: Target) => boolean;
  /** Its own tools read once for an answer: it counts what they bring in, and the request, one time each. */
  readonly toolsReadOnce?: true;
  /** Whether it sends requests with one `prompt_cache_key` to where their beginning is cached. */
  readonly routesByCacheKey?: boolean;
  readonly rules: RuleSet;
}

export interface Provider {
  readonly name: string;
  /** The provider whose settings it uses, if it is the same account with another protocol. */
  readonly account?: string;
  /** The settings that an operator can store, in lower case with dashes; only `api-key` where absent. */
  readonly settings?: readonly string[];
  /** Whether it can be called with these settings; deployments of one that cannot are skipped. */
  readonly isConfigured: (access: ProviderAccess) => boolean;
  /** The documented base URL, up to and with its version segment. Absent where each account has its own. */
  readonly baseUrl?: (region: string, access: ProviderAccess) => string;
  /** The base URL where the operator's setting names that of another protocol of the account; absent: as it is set. */
  readonly besideBaseUrl?: (set: string) => string;
  /** The path between the base URL and the protocol's own path: the name of an account's resource. */
  readonly scope?: (region: string, access: ProviderAccess) => string;
  readonly authorize: Authorize;
  /** Absent for a provider that does not generate text. */
  readonly generation?: Generation;
  /** The protocol of the Responses operation, if it has one of its own. */
  readonly responses?: Generation;
  /** How the Messages operation calls this target, where that is another way than chat's; undefined: as chat does. Pure. */
  readonly messages?: (target: Target) => Generation | undefined;
  /** How it serves chat requests that its chat protocol cannot carry; absent: not at all. */
  readonly chatOverResponses?: ChatOverResponses;
  /** How it fills in between two texts; absent: not at all. */
  readonly fillIn?: Generation;
  /** Absent for a provider that does not embed. */
  readonly embeddings?: Embeddings;
  /** Absent for a provider that does not generate images. */
  readonly images?: Images;
  /** Absent for a provider that has no moderation. */
  readonly moderations?: Moderations;
  /** Absent for a provider that does not rerank. */
  readonly rerank?: Rerank;
  /** Absent for a provider that does not speak. */
  readonly speech?: Speech;
  /** Absent for a provider that does not transcribe. */
  readonly transcription?: Transcription;
  /** Absent for a provider that makes no secrets for realtime sessions. */
  readonly realtime?: Realtime;
}

export interface Moderations {
  readonly protocol: ModerationProtocol;
}

export interface Realtime {
  readonly protocol: RealtimeProtocol;
}

export interface ChatOverResponses {
  readonly generation: Generation;
  /** Pure. */
  readonly isNeeded: (request: GenerationRequest, target: Target) => boolean;
}

/** All providers, each loaded when it is first needed. */
export interface Providers {
  /** Undefined where there is no such provider. Reads the database for a name that is not built in. */
  readonly load: (name: string) => Promise<Provider | undefined>;
  /** Only a provider that ships with the gateway. Never reads the database, so that it can be tried with a guess. */
  readonly loadBuiltIn: (name: string) => Promise<Provider | undefined>;
  /** A provider that has been loaded, as the plan does with those of its targets. */
  readonly get: (name: string) => Provider | undefined;
}

export interface Embeddings {
  /** The protocol, which may depend on the model. */
  readonly protocol: (target: Target) => EmbeddingProtocol;
  readonly rules: readonly RuleFor<EmbeddingRequest>[];
}

export interface Images {
  readonly protocol: ImageProtocol;
  readonly rules: readonly RuleFor<ImageRequest>[];
}

export interface Rerank {
  /** The protocol, which may depend on the model. */
  readonly protocol: (target: Target) => RerankProtocol;
  readonly rules: readonly RuleFor<RerankRequest>[];
}

export interface Speech {
  readonly protocol: SpeechProtocol;
  readonly rules: readonly RuleFor<SpeechRequest>[];
}

export interface Transcription {
  readonly protocol: TranscriptionProtocol;
  readonly rules: readonly RuleFor<TranscriptionRequest>[];
}

/** What a provider has beside the generation of text. */
export type Serving =
  | 'embeddings'
  | 'images'
  | 'moderations'
  | 'realtime'
  | 'rerank'
  | 'speech'
  | 'transcription';

/** The protocol and rules that an operation uses for a request to a target. Pure. */
export function generationOf(
  { generation, responses = generation, messages, chatOverResponses, fillIn = generation }: Provider,
  endpoint: ModelEndpoint,
  target: Target,
  request: GenerationRequest,
): Generation | undefined {
  if (request.suffix !== undefined) return fillIn;
  if (endpoint === 'responses') return responses;
  const ownMessages = endpoint === 'messages' ? messages?.(target) : undefined;
  if (ownMessages) return ownMessages;
  const searching = chatOverResponses?.generation;
  // Messages has one form of searches for every provider; chat has xAI's refusal of them.
  if (endpoint === 'messages' && request.webSearch && !generation?.searchesWeb && searching?.searchesWeb) {
    return searching;
  }
  return chatOverResponses?.isNeeded(request, target) ? chatOverResponses.generation : generation;
}

const onlyKey: readonly string[] = ['api-key'];

/** The account whose settings a provider uses, and their names. */
export function settingsOf({ name, account = name, settings = onlyKey }: Provider) {
  return { account, settings };
}

/** Whether an AWS signature is enough to call it. */
export const maySign = ({ isConfigured }: Provider): boolean =>
  !isConfigured({ settings: {} }) && isConfigured({ settings: {}, sign: async (request) => request });

export const hasKey = (access: ProviderAccess): boolean => access.apiKey !== undefined;

/** The URL below which a provider is called. Throws GatewayError `upstream_credentials` where no setting has it. */
export function rootOf(provider: Provider, region: string, access: ProviderAccess): string {
  const { baseUrl: set } = access;
  const base =
    set === undefined ? provider.baseUrl?.(region, access) : (provider.besideBaseUrl?.(set) ?? set);
  if (base === undefined) throw missingCredentials();
  return `${base}${provider.scope?.(region, access) ?? ''}`;
}

/** The default call: one request. */
export async function callOnce({ protocol, request, target, post }: ReadyCall): Promise<Called> {
  const path = protocol.path(target.deployment.upstreamId, request.stream);
  const { body, headers } = encodeRequest(protocol, request, target);
  return { response: await post(path, body, { headers }), changes: [] };
}

/** The body and its own headers: those of the caller, where the target gets the original request. */
export function encodeRequest(
  protocol: GenerationProtocol,
  request: GenerationRequest,
  target: Target,
): EncodedOriginal {
  const { original, stream } = request;
  const own = original && protocol.encodeOriginal?.(original, target, stream);
  return own ?? { body: protocol.encode(request, target), headers: {} };
}

/** Authorization by a key in one header, written by `format`. */
export function keyHeader(
  name: string,
  format: (key: string) => string = (key) => key,
  others: Readonly<Record<string, string>> = {},
): Authorize {
  return (request, access) => {
    if (!access.apiKey) throw missingCredentials();
    const headers: Record<string, string> = { ...others, ...request.headers };
    headers[name] = format(access.apiKey);
    return { ...request, headers };
  };
}

export const bearer = (key: string): string => `Bearer ${key}`;

export function missingCredentials(): GatewayError {
  return new GatewayError('upstream_credentials', 'No credentials are configured for the provider.');
}
