/** Steps in the Messages protocol, in an event stream of Bedrock. */
import { encodeEvent } from '../../../sandbox/bedrock/write.ts';
import { anthropicScript } from './anthropic.ts';
import type { ProtocolScript } from './step.ts';

/** The data of a server-sent event, in a message of an event stream. */
export function wrapEvent(data: string): Uint8Array {
  return encodeEvent('chunk', { bytes: Buffer.from(data).toString('base64') });
}

const dataOf = (event: Uint8Array) =>
  Buffer.from(event)
    .toString()
    .replace(/^event: .*\n/, '')
    .replace(/^data: /, '');

export const bedrockInvokeScript: ProtocolScript = {
  ...anthropicScript,
  protocol: 'bedrock',
  streamType: 'application/vnd.amazon.eventstream',
  stream: (steps) => anthropicScript.stream(steps).map((event) => wrapEvent(dataOf(event))),
};
