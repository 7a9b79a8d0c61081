/** What both kinds of forms share: how a form is known and its parts are found. */
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { GatewayError } from '../../core/errors/errors.ts';
import { contentCodings } from '../request/decode-body.ts';
import { isForm } from '../request/form-type.ts';
import type { HttpRequest } from '../request/http-request.ts';

const maxHeaderBytes = 8_192;

/** @throws GatewayError 415 with this message for another body, and for one that is compressed. */
export function checkFormHead({ header }: HttpRequest, message: string): void {
  if (!isForm(header)) throw new GatewayError('unsupported_media_type', message);
  if (contentCodings(header('content-encoding')).length > 0)
    throw new GatewayError('unsupported_media_type', 'A form with a file must have no Content-Encoding.');
}

interface FormLimits {
  readonly fields?: number;
  readonly parts: number;
  readonly fieldSize: number;
}

/** @throws GatewayError 400 for a boundary that is none. */
export function openForm({ header }: HttpRequest, limits: FormLimits): BusboyInstance {
  const headers = { 'content-type': header('content-type') ?? '' };
  try {
    return new Busboy({ headers, limits: { ...limits, headerSize: maxHeaderBytes } });
  } catch {
    throw brokenForm();
  }
}

export const brokenForm = () =>
  new GatewayError('invalid_request', 'The form is invalid, or ends before its last boundary.');

export const missingField = (param: string) =>
  new GatewayError('invalid_request', `Missing required parameter: '${param}'.`, { param });
