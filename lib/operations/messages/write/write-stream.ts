/** Writes an answer as the events of the Messages API. */
import type { Transform } from '../../../async/pipe.ts';
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GatewayError } from '../../../core/errors.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';
import type { CostInUsage } from '../../charge-so-far.ts';

export interface MessagesAnswer {
  readonly id: string;
  readonly model: string;
  readonly cost: CostInUsage;
  /** What it returns at the end is added to the last event but one. */
  readonly debug: () => object | undefined;
}

const event = (data: { readonly type: string }): PublicEvent => ({ event: data.type, data });

export function messagesStream({
  id,
  model,
  debug,
}: MessagesAnswer): Transform<readonly GenerationEvent[], PublicEvent> {
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  let isOpen = false;
  return {
    each(events, out) {
      for (const given of events) {
        if (given.type === 'start') out.push(event({ type: 'message_start', ...{ message } }));
        if (given.type !== 'text') continue;
        const content_block = { type: 'text', text: '' };
        if (!isOpen) out.push(event({ type: 'content_block_start', ...{ index: 0, content_block } }));
        isOpen = true;
        const delta = { type: 'text_delta', text: given.text };
        out.push(event({ type: 'content_block_delta', ...{ index: 0, delta } }));
      }
    },
    end(out) {
      if (isOpen) out.push(event({ type: 'content_block_stop', ...{ index: 0 } }));
      const facts = debug();
      const delta = { stop_reason: 'end_turn', stop_sequence: null };
      out.push(event({ type: 'message_delta', ...{ delta }, ...(facts && { debug: facts }) }));
      out.push(event({ type: 'message_stop' }));
    },
  };
}

export function writeMessagesStreamError(error: GatewayError): readonly PublicEvent[] {
  return [{ event: 'error', data: { type: 'error', ...error.toBody() } }];
}
