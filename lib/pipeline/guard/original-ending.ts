/** The end of a blocked answer in Anthropic's own words, where the caller gets those of its provider. */
import { asObject, type JsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';

type Upstream = Extract<GenerationEvent, { readonly type: 'upstream' }>;

const blocks: ReadonlySet<string> = new Set(['content_block_start', 'content_block_stop']);

const stopped = {
  stop_reason: 'refusal',
  stop_sequence: null,
  // SDKs know a closed list of categories.
  stop_details: { type: 'refusal', category: null, explanation: null },
};

export function originalEnding() {
  let isOriginal = false;
  let open: unknown;
  const event = (data: JsonObject, sent: string | JsonObject = JSON.stringify(data)): Upstream => ({
    type: 'upstream',
    choice: 0,
    name: `${data.type}`,
    data: sent,
    isContent: false,
  });
  return {
    /** Called with each event that leaves. */
    see(seen: GenerationEvent) {
      if (seen.type !== 'upstream') return;
      isOriginal = true;
      if (!blocks.has(seen.name)) return;
      const { index } = asObject(typeof seen.data === 'string' ? parseJson(seen.data) : seen.data);
      open = seen.name === 'content_block_start' ? index : undefined;
    },
    /** `body`: what came as one. None where the caller gets the gateway's words. */
    events(body: JsonObject | undefined, outputTokens: number): readonly GenerationEvent[] {
      if (body) return [event(body, { ...body, content: [], ...stopped })];
      if (!isOriginal) return [];
      return [
        ...(open === undefined ? [] : [event({ type: 'content_block_stop', index: open })]),
        event({ type: 'message_delta', delta: stopped, usage: { output_tokens: outputTokens } }),
        event({ type: 'message_stop' }),
      ];
    },
  };
}
