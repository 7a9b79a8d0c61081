/** The vocabulary of the sandbox: what a handler reads from a request, what the script answers, and what goes over HTTP. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../lib/core/generation/request.ts';
import type { BatchPace } from './batches/pace.ts';

/** A function that the model may call, or a custom tool, which takes a text. */
export interface SandboxTool {
  readonly name: string;
  readonly schema: JsonObject;
  /** The group of tools that it belongs to. */
  readonly namespace?: string;
  readonly isCustom?: boolean;
}

/** The neutral reading of a request. */
export interface Prompt {
  readonly provider: string;
  /** The upstream's own name of the model. */
  readonly model: string;
  readonly lastUserText: string;
  /** The words of the user that commands are read from; absent: `lastUserText`. */
  readonly task?: string;
  /** What the functions answered, when the last message carries their results. */
  readonly toolResults: readonly string[];
  /** How many answers of the model the conversation has. */
  readonly turns: number;
  /** How many times the model has called functions since the last user text. */
  readonly callRounds: number;
  readonly images: number;
  /** Documents. */
  readonly files: number;
  /** Recordings and videos; absent: none. */
  readonly played?: number;
  /** All that the caller sent to the model, for counting. */
  readonly input: string;
  readonly tools: readonly SandboxTool[];
  readonly toolChoice: 'none' | 'auto' | 'required' | { readonly name: string };
  /** False where the caller wants one call at a time. */
  readonly parallel: boolean;
  readonly format: 'text' | 'json' | { readonly schema: JsonObject };
  readonly reasoning: boolean;
  /** Whether the model may search the web, and is not required to do something else. */
  readonly search: boolean;
  readonly maxTokens?: number | undefined;
  readonly stop: readonly string[];
}

export interface SandboxCall {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** A text for a custom tool. */
  readonly arguments: JsonObject | string;
}

/** A page that the model found on the web. */
export interface WebSource {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface WebSearch {
  readonly query: string;
  readonly sources: readonly WebSource[];
}

/** What of a text comes from where, in UTF-16 units of the text. */
export interface Citation {
  readonly start: number;
  readonly end: number;
  readonly source: WebSource;
}

export interface Answer {
  readonly reasoning: string;
  /** Made before text and calls. */
  readonly search?: WebSearch | undefined;
  readonly text: string;
  /** In the order of the text. */
  readonly citations: readonly Citation[];
  readonly calls: readonly SandboxCall[];
  readonly finish: 'stop' | 'stop-sequence' | 'length' | 'tool-calls';
  readonly stopSequence?: string | undefined;
  readonly usage: {
    readonly input: number;
    /** Text and calls, without reasoning. */
    readonly output: number;
    readonly reasoning: number;
    /** Part of the input, of recordings and the audio of videos. */
    readonly audio: number;
  };
}

/** A request as a handler receives it. */
export interface SandboxRequest {
  readonly provider: string;
  readonly method: string;
  /** Below the provider's base, decoded nowhere. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Parsed JSON; undefined where the body is none. */
  readonly body: unknown;
  /** The body as it came. Absent: none. */
  readonly bytes?: Buffer;
  /** Absent: batches are complete at once. */
  readonly pace?: BatchPace;
}

/** A response as a handler returns it: one chunk for a body, many for a stream. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Uint8Array)[];
  /** What comes later, as it comes. Absent: nothing. */
  readonly rest?: AsyncIterable<string>;
}

/** Answers as the provider would. Throws a Refusal for what the provider refuses. */
export type Handler = (request: SandboxRequest) => SandboxResponse;

/** An error answer in the provider's own shape. */
export class Refusal extends Error {
  readonly answer: SandboxResponse;

  constructor(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}) {
    super(`Refused with ${status}.`);
    this.name = 'Refusal';
    this.answer = jsonAnswer(body, status, headers);
  }
}

/** The answer of a handler, also where it refuses. */
export function answerWith(handle: Handler, request: SandboxRequest): SandboxResponse {
  try {
    return handle(request);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
}

export function jsonAnswer(
  body: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks: [JSON.stringify(body)],
  };
}

/** Server-sent events, unless the type says otherwise. */
export function streamAnswer(
  chunks: readonly (string | Uint8Array)[],
  contentType = 'text/event-stream; charset=utf-8',
): SandboxResponse {
  return { status: 200, headers: { 'content-type': contentType }, chunks };
}

export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function namedEvent(event: string, data: object): string {
  return `event: ${event}\n${dataEvent(data)}`;
}

/** An id as the protocols write them: a prefix and letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
