/**
 * An item that only this protocol has, such as a call of a hosted tool. It is passed on whole, with its own events, also where
 * its type is newer than the gateway.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import type { Answer, Events } from './answer.ts';

export interface ProtocolItem {
  readonly type: 'protocol_item';
  /** The type that the host gives it. */
  readonly hostType: unknown;
  readonly item: number;
  /** As the host last sent it. */
  body: JsonObject;
}

export function newProtocolItem(answer: Answer, body: JsonObject): ProtocolItem {
  const item = answer.protocolItems;
  answer.protocolItems += 1;
  return { type: 'protocol_item', hostType: body.type, item, body };
}

export function openProtocolItem({ item, body }: ProtocolItem): Events {
  return [{ type: 'protocol-item', choice: 0, item, body }];
}

/** The padding of its texts is left out: streams of the gateway have none. */
export function onProtocolItemEvent({ item }: ProtocolItem, given: JsonObject): Events {
  const { obfuscation: _, ...body } = given;
  return [{ type: 'protocol-item-event', choice: 0, item, body }];
}

/** An item without an end stays as it began. */
export function closeProtocolItem(state: ProtocolItem, source: JsonObject): Events {
  if (Object.keys(source).length > 0) state.body = source;
  return [{ type: 'protocol-item-end', choice: 0, item: state.item, body: state.body }];
}
