/** Whether a caller takes an answer that is compressed with gzip. */
import type { HttpRequest } from './request/http-request.ts';

export const acceptsGzip = ({ header }: Pick<HttpRequest, 'header'>): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header('accept-encoding') ?? '');
