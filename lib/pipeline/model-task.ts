/**
 * What an operation contributes to the pipeline: whom it may ask, what it sends to a target, and how one call is made. The
 * pipeline (`run-targets.ts`) decides the order of targets, retries and fallbacks.
 */
import type { AttemptOutput } from '../core/accounting/ledger.ts';
import type { Target } from '../core/catalog/model.ts';
import type { ModelEndpoint } from '../core/catalog/model-endpoints.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import type { GatewayError } from '../core/errors/errors.ts';
import type { GenerationRequest } from '../core/generation/request.ts';
import type { RequestMemory } from '../core/ports/memory.ts';
import type { MaxTokens } from '../metering/limits/highest-cost.ts';
import type { Provider } from '../providers/provider.ts';
import type { RequestShape } from '../routing/alias.ts';
import type { ProviderPreferences } from '../routing/provider-preferences.ts';
import type { Need } from '../routing/resolve-model.ts';
import type { RequestMedia } from './media/request-media.ts';
import type { Connections } from './use/account.ts';

/** The circumstances of one call of a target. */
export interface CallOptions {
  readonly connections: Connections;
  /** What the links of the request lead to, for all of its calls. */
  readonly media: RequestMedia;
  readonly signal: AbortSignal;
  /** As `Call.lasting`. */
  readonly lasting?: AbortSignal;
  /** What the answer takes of the memory of the process; absent: it is not counted. */
  readonly memory?: RequestMemory | undefined;
  /** How long the target may take to its first meaningful output; set only while another target is left. */
  readonly firstOutputMs: number | undefined;
  /** Who pays. */
  readonly tenant: string | undefined;
  /** What the call uses is recorded here as it becomes known. */
  readonly attempt: AttemptFacts;
}

/** What a task sends, and how much that can use at most. */
interface Sendable<Prepared> {
  /** An upper bound of the tokens that the request can use at a target. */
  readonly maxTokens: (target: Target) => MaxTokens;
  /** Pure. Throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
  readonly prepare: (target: Target, primary: Target) => Prepared;
  /** `prepare` for at most so many tokens of output, on record. Absent: the output cannot be limited. */
  readonly prepareWithin?: (tokens: number) => (target: Target, primary: Target) => Prepared;
  /** How often each of the provider's tools that read may be called, where that was lowered to fit the limits. */
  readonly maxToolCalls?: number;
}

/** `Prepared` is the request as one target takes it, `Answer` what a call of the target gives. */
export interface ModelTask<Prepared, Answer> extends Sendable<Prepared> {
  readonly endpoint: ModelEndpoint;
  /** The model as the caller named it. */
  readonly model: string;
  readonly fallbacks: readonly string[];
  /** The fields of the fallbacks, if they are not `extra.fallbacks.<index>`. */
  readonly fallbackPaths?: readonly string[] | undefined;
  readonly needs: readonly Need[];
  /** What the conditions of an alias are compared with; absent: it has nothing of it. */
  readonly shape?: () => RequestShape;
  /** Other models that the request makes the provider call, and the fields that name them: they must be allowed, too. */
  readonly alsoCalls?: () => readonly { readonly model: string; readonly param: string }[];
  /** What is the same in all requests of one conversation; undefined if it has no turns. */
  readonly conversation?: () => string | undefined;
  readonly preferences?: ProviderPreferences | undefined;
  /** What is to be generated, whose parts may make a provider keep something; absent: no part can. */
  readonly generation?: GenerationRequest;
  /** The field of the request that a target would not honour; absent: every target may serve it. */
  readonly unmetField?: ((target: Target) => string | undefined) | undefined;
  /** Throws GatewayError `invalid_request` for what the target that is asked first does not take, before anything is reserved. */
  readonly check?: (primary: Target) => void;
  /** Whether the provider has what the request needs; deployments of other providers are skipped. */
  readonly canServe: (provider: Provider, target: Target) => boolean;
  /** Whether the answer comes piece by piece, so that one that is given up has cost no more than what was seen of it. */
  readonly isStream?: boolean;
  /** About how many tokens the input has. */
  readonly inputTokens: () => number;
  /** What may be generated, with so many tokens granted; absent: the output is not measured in tokens. */
  readonly output?: (target: Target, granted?: number) => AttemptOutput;
  /** See `CallOptions.firstOutputMs`; undefined: no limit of its own. */
  readonly firstOutputMs: (target: Target) => number | undefined;
  /** The first tool of the provider's that brings further input into the request; undefined: none does. */
  readonly reading?: () => { readonly param: string; readonly type: string } | undefined;
  /** The task with one call of each such tool, on record. */
  readonly withOneCall?: () => Sendable<Prepared>;
  /** Calls the target. Resolves when the answer is certain enough that no other target is tried after it. */
  readonly call: (prepared: Prepared, options: CallOptions) => Promise<Answer>;
  /** What to send to the same target after this failure; undefined: the failure stands. Bounded by itself. */
  readonly modify?: (error: GatewayError, prepared: Prepared) => Promise<Prepared | undefined>;
}
