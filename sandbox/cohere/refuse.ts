/** The error answers of the Cohere protocol. */
import { randomUUID } from 'node:crypto';
import { Refusal } from '../exchange.ts';

export function refuse(message: string, status = 400): never {
  throw new Refusal(status, { id: randomUUID(), message });
}
