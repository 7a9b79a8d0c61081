/** The error answers of the Bedrock protocol. */
import { Refusal } from '../exchange.ts';

export function refuse(message: string, status = 400, type = 'ValidationException'): never {
  throw new Refusal(status, { message }, { 'x-amzn-errortype': type });
}
