/** The answer of one model: its text and calls of tools as they come, and what it took. */
import { asError, errorOf } from '../../api/api-error.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** In JSON. */
  readonly arguments: string;
}

export interface Answered {
  readonly state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** Of the answer's header; absent: there was no answer, or it is a dry run's. */
  readonly requestId?: string | undefined;
  /** In milliseconds. */
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** In US dollars; null: unknown. */
  readonly cost?: number | null;
  readonly problem?: string;
}

interface Asked {
  readonly url: string;
  readonly key: string;
  /** A chat completion, without what is for the page. */
  readonly body: object;
  /** Whether the answer is only what would be sent. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The key works no longer. */
  readonly onKeyRefused: () => void;
}

interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** The parts of a chunk that matter here. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: unknown;
      readonly reasoning_content?: unknown;
      readonly tool_calls?: readonly CallDelta[];
    };
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly cost?: number | null;
  };
  readonly debug?: { readonly dry_run?: { readonly highest_cost: number | null } };
  readonly error?: { readonly message?: string };
}

/** Calls `show` with each state; the last one is what is returned. Never rejects. */
export async function ask(asked: Asked, show: (answered: Answered) => void): Promise<void> {
  const startedAt = performance.now();
  const passed = () => performance.now() - startedAt;
  let now: Answered = { state: 'waiting', text: '', reasoning: '', toolCalls: [] };
  const update = (more: Partial<Answered>) => {
    now = { ...now, ...more };
    show(now);
  };
  update({});
  try {
    const response = await send(asked);
    if (!asked.dryRun) update({ requestId: response.headers.get('x-request-id') ?? undefined });
    if (response.status === 401) asked.onKeyRefused();
    if (!response.ok) throw await errorOf(response);
    if (!response.body) throw new Error('The answer has no body.');
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') break;
      const chunk: Chunk = JSON.parse(data);
      if (chunk.error) throw new Error(chunk.error.message ?? 'The answer ended with an error.');
      const { delta } = chunk.choices?.[0] ?? {};
      const [text, reasoning] = [textOf(delta?.content), textOf(delta?.reasoning_content)];
      const calls = delta?.tool_calls ?? [];
      if (text !== '' || reasoning !== '' || calls.length > 0)
        update({
          state: 'streaming',
          text: now.text + text,
          reasoning: now.reasoning + reasoning,
          toolCalls: withCalls(now.toolCalls, calls),
          firstTokenMs: now.firstTokenMs ?? passed(),
        });
      if (chunk.usage)
        update({
          promptTokens: chunk.usage.prompt_tokens,
          completionTokens: chunk.usage.completion_tokens,
          cost: chunk.usage.cost ?? null,
        });
      const { dry_run: report } = chunk.debug ?? {};
      if (report) update({ text: JSON.stringify(report, null, 2), cost: report.highest_cost });
    }
    update({ state: 'done', totalMs: passed() });
  } catch (thrown) {
    const problem = asError(thrown).message;
    update(asked.signal.aborted ? { state: 'stopped', totalMs: passed() } : { state: 'failed', problem });
  }
}

/** A call comes in pieces: its name first, then its arguments. */
function withCalls(known: readonly ToolCall[], deltas: readonly CallDelta[]): readonly ToolCall[] {
  const calls = [...known];
  for (const { index, id, function: part } of deltas) {
    const call = calls[index] ?? { id: '', name: '', arguments: '' };
    calls[index] = {
      id: id ?? call.id,
      name: call.name + (part?.name ?? ''),
      arguments: call.arguments + (part?.arguments ?? ''),
    };
  }
  return calls;
}

/** At the API's own address, without cookies. */
const send = ({ url, key, body, dryRun, signal }: Asked) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    credentials: 'omit',
    cache: 'no-store',
    signal,
    body: JSON.stringify({
      ...body,
      stream: true,
      usage: { include: true },
      ...(dryRun && { extra: { dry_run: true } }),
    }),
  });

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Longer lines than any chunk of an answer: what sends them is no gateway. */
const maxLine = 4_000_000;

/** @throws Error for a line that does not end; what the stream itself fails with. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() ?? '';
      if (rest.length > maxLine) throw new Error('The answer has a line without an end.');
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trimStart();
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
