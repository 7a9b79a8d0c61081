/**
 * Ids of the Responses protocol. Those of one response share its digits; an item that came out of reasoning says so, and
 * which.
 */
import { randomUUID } from 'node:crypto';

export interface ResponseIds {
  readonly response: string;
  readonly reasoning: string;
  /** The id of the output item at `index`. */
  item(prefix: 'msg' | 'fc' | 'ctc' | 'ws', index: number): string;
}

export function newIds(hasReasoning: boolean): ResponseIds {
  const digits = randomUUID().replaceAll('-', '');
  return {
    response: `resp_${digits}`,
    reasoning: `rs_${digits}`,
    item: (prefix, index) => `${prefix}_${digits}${hasReasoning ? 'r' : 'n'}${index}`,
  };
}

/** The reasoning item that an item came out of; undefined for none, and for ids of others. */
export function reasoningIdOf(id: string): string | undefined {
  const digits = /^(?:msg|fc|ws)_([0-9a-f]{32})r\d+$/.exec(id)?.[1];
  return digits === undefined ? undefined : `rs_${digits}`;
}
