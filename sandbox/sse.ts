/**
 * Server-sent events, as the providers write them.
 */

export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function namedEvent(event: string, data: object): string {
  return `event: ${event}\n${dataEvent(data)}`;
}

export const sseType = 'text/event-stream; charset=utf-8';
