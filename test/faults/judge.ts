/** What the caller got for one request, and the result of a scenario from that and from the provider's log. */
import { readChatStream } from '../harness/chat-stream.ts';
import type { TestGateway } from '../harness/gateways/gateway.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { type WallCall, wholeAnswer } from './failing-provider.ts';

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly ms: number;
  /** Without the time in which the machine was busy. */
  readonly waitedMs: number;
  /** `truncated`: returned as a success although text is missing. */
  readonly outcome: 'whole' | 'error' | 'truncated';
  /** The model named in the answer. */
  readonly model: string | undefined;
  readonly usage: { readonly completion_tokens?: number } | undefined;
  readonly error:
    | { readonly message: string; readonly type: string; readonly code: string | null }
    | undefined;
  readonly routing: readonly { readonly model: string; readonly status: string }[];
}

export interface Judged {
  readonly seen: Seen;
  /** Calls of the scenario's own model and of its fallback since the scenario started. */
  readonly primary: readonly WallCall[];
  readonly fallback: readonly WallCall[];
  /** Whether a regular request is answered afterwards. */
  readonly alive: boolean;
}

export type ScenarioResult = 'pass' | 'safe' | 'fail';

/** Each check by its name; all of them must hold. */
export type Checks = Readonly<Record<string, boolean>>;

/**
 * `pass`: the best result for the caller; `safe`: an error instead; `fail`: a check does not hold, or a partial answer was
 * returned as complete.
 */
export function judge(best: 'whole' | 'error', { outcome }: Seen, checks: Checks): ScenarioResult {
  if (outcome === 'truncated' || Object.values(checks).includes(false)) return 'fail';
  if (outcome === best) return 'pass';
  return outcome === 'error' ? 'safe' : 'fail';
}

/** Requests a streamed answer and checks the stream grammar of chat. */
export async function askStreamed(gateway: TestGateway, model: string, extra: object): Promise<Seen> {
  const began = performance.now();
  const watch = startStopwatch();
  const response = await gateway.post('/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Say the words.' }],
    stream: true,
    stream_options: { include_usage: true },
    extra: { debug: ['routing'], ...extra },
  });
  const text = await response.text();
  const ms = performance.now() - began;
  const { status, headers } = response;
  const head = { status, headers, ms, waitedMs: watch.waitedMs() };
  if (status !== 200) {
    const { error } = JSON.parse(text);
    return { ...head, outcome: 'error', model: undefined, usage: undefined, error, routing: [] };
  }
  const { chunks, choices, usage, error } = readChatStream(text);
  const success = choices.get(0)?.content === wholeAnswer ? 'whole' : 'truncated';
  const debug = chunks.at(-1)?.debug as { routing?: Seen['routing'] } | undefined;
  return {
    ...head,
    outcome: error ? 'error' : success,
    model: chunks[0]?.model,
    usage,
    error,
    routing: debug?.routing ?? [],
  };
}
