/** The error answers of the Gemini protocol. */
import { Refusal } from '../exchange.ts';

export function refuse(message: string, code = 400, status = 'INVALID_ARGUMENT'): never {
  throw new Refusal(code, { error: { code, message, status } });
}

/** A field that the API does not have; `path` is empty for the request itself. */
export function refuseUnknown(name: string, path: string): never {
  const where = path === '' ? '' : ` at '${path}'`;
  refuse(`Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`);
}
