/**
 * The answer of a model, as the stream of events that every decoder produces and every writer consumes.
 *
 * A JSON body and a stream decode into the same events. The order within one choice is reasoning, text and calls as the
 * model made them, then exactly one `finish`. `start` comes first, `usage` once, last.
 */
import type { JsonObject, ReasoningDetail, ToolIdentity } from './request.ts';
import type { Usage } from './usage.ts';

/** The most answers that one request can ask for, and so the most choices of an answer. */
export const maxChoices = 128;

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** One token and its probability, in the public shape. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[] | null;
  readonly top_logprobs: readonly { token: string; logprob: number; bytes: readonly number[] | null }[];
}

/** A web source the model cited, in the public shape (offsets count characters of the message). */
export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly start_index: number;
    readonly end_index: number;
  };
}

export type GenerationEvent =
  | { readonly type: 'start'; readonly fingerprint?: string; readonly serviceTier?: string }
  | ({ readonly choice: number } & ChoicePart)
  /** `serviceTier`: the tier that was used; `raw`: the usage object of upstream. */
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      readonly serviceTier?: string;
      readonly raw?: JsonObject;
    };

/** What is of one choice of the answer. */
type ChoicePart =
  /**
   * What a target sent that speaks the caller's own protocol: an event of its stream as JSON text, or its body as an object. The
   * events that it means follow. `name`: its type in the protocol. Only a writer of that protocol reads it. `isContent`: a part of
   * the answer has come.
   */
  | {
      readonly type: 'upstream';
      readonly name: string;
      readonly data: string | JsonObject;
      readonly isContent: boolean;
    }
  /** A new message of the same answer begins; only from protocols whose answers may have several. */
  | { readonly type: 'message'; readonly phase?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  /** A delta of readable reasoning. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** One complete piece of reasoning, to be sent back later. Its text was already in `reasoning` events. */
  | { readonly type: 'reasoning-detail'; readonly detail: ReasoningDetail }
  /** `call` counts the calls of a choice from 0 in order of appearance. */
  | ({ readonly type: 'tool-call'; readonly call: number; readonly id: string } & ToolIdentity)
  /** A piece of the arguments: of JSON, or of the text for a custom tool. */
  | { readonly type: 'tool-arguments'; readonly call: number; readonly text: string }
  /** The text for a custom tool is complete. Optional: with JSON its end shows. */
  | { readonly type: 'tool-call-end'; readonly call: number }
  /** The provider begins a web search. `search` counts the searches of a choice from 0. */
  | { readonly type: 'web-search'; readonly search: number; readonly id?: string }
  /** The search is finished. `action` is in the public shape, with `sources` if they are known. */
  | {
      readonly type: 'web-search-end';
      readonly search: number;
      readonly status: 'completed' | 'failed';
      readonly action: JsonObject;
    }
  /**
   * An item of the Responses API that no other protocol has: its beginning, its own events, and its end, as upstream sent
   * them. `item` counts these items from 0.
   */
  | { readonly type: 'protocol-item'; readonly item: number; readonly body: JsonObject }
  | { readonly type: 'protocol-item-event'; readonly item: number; readonly body: JsonObject }
  | { readonly type: 'protocol-item-end'; readonly item: number; readonly body: JsonObject }
  | { readonly type: 'annotation'; readonly annotation: UrlCitation }
  /** Another note on the text, as upstream sent it: a file that it cites. */
  | { readonly type: 'protocol-annotation'; readonly annotation: JsonObject }
  | {
      readonly type: 'logprobs';
      readonly content: readonly TokenLogprob[];
      readonly refusal: readonly TokenLogprob[];
    }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      /** Of `stop`: the text at which the model stopped, where the provider reports it. */
      readonly stopSequence?: string;
      /** Of `length`: the context of the model is full, and not only the output that was allowed. */
      readonly isContextFull?: true;
      /** Of `stop` and `tool_calls`: the provider gave no reason that is known, or will go on, so that the answer may not be whole. */
      readonly isUnclear?: true;
      /** Of the last one: how input and output of the request were classified, in the public shape. */
      readonly moderation?: JsonObject;
    };

/** Whether an event holds a part of the answer. After the first of these, no other target is tried. */
export function isMeaningful(event: GenerationEvent): boolean {
  const { type } = event;
  if (type === 'upstream') return event.isContent;
  return type !== 'start' && type !== 'message' && type !== 'usage';
}

/** The events that `add` adds. */
export function eventsOf(add: (events: GenerationEvent[]) => void): readonly GenerationEvent[] {
  const events: GenerationEvent[] = [];
  add(events);
  return events;
}
