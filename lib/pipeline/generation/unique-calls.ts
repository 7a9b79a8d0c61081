/**
 * Ids of an answer's calls that the conversation does not have yet. Some hosts count the calls of each answer from 0, and clients
 * find the result of a call by its id alone. Source: NVIDIA-NeMo/Switchyard issue 502.
 */
import type { Transform } from '../../async/pipe.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { Message } from '../../core/generation/request.ts';
import { encodeToolCallId } from '../../core/generation/tools/tool-call-id.ts';
import { newCallId } from '../../core/names/new-id.ts';

/** `earlier`: the ids of the calls in the conversation. Not the conversation, which would be kept as long as the stream. */
export function uniqueCalls(
  earlier: readonly string[],
): Transform<readonly GenerationEvent[], GenerationEvent> {
  let taken: ReadonlySet<string> | undefined;
  /** Of the calls of this answer, by the host's id. */
  const ids = new Map<string, string>();
  const written = new Set<string>();
  const idOf = (id: string): string => {
    // As Messages writes them: a caller may have got an id in this form.
    taken ??= new Set(earlier.map(encodeToolCallId));
    const own = ids.get(id) ?? (taken.has(encodeToolCallId(id)) ? newCallId() : id);
    ids.set(id, own);
    return own;
  };
  const callId = (id: string): string => {
    if (written.has(id)) ids.set(id, newCallId());
    written.add(id);
    return idOf(id);
  };
  const rename = (event: GenerationEvent): GenerationEvent => {
    if (event.type === 'tool-call') return { ...event, id: callId(event.id) };
    if (event.type !== 'reasoning-detail') return event;
    // A signature of Gemini names its call, and may come before it.
    const { format, id } = event.detail;
    if (format !== geminiFormat || id === undefined) return event;
    return { ...event, detail: { ...event.detail, id: idOf(id) } };
  };
  return {
    each(events, out) {
      for (const event of events) out.push(rename(event));
    },
  };
}

export function callsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
}
