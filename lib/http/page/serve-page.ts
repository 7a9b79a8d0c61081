/** The handler that serves the dashboard's page. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PageFiles } from '../../core/admin/admin-endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { acceptsGzip } from '../accepts-gzip.ts';
import type { Handler, HttpRequest, RequestHost } from '../request/http-request.ts';
import { type HttpAnswer, hasTag, respondWithError } from '../respond.ts';
import { assetCacheControl, contentTypeOf, indexCacheControl, pageHeaders } from './page-headers.ts';

/** The page that opens first. */
const firstPage = 'overview';

const indexName = 'index.html';

/**
 * Serves `<base>/dashboard` and all below: a file, or the index for the address of a page, which is one segment without a dot. A
 * file that an earlier deployment had is 404, and not the index: a script that is a document would fail without a reason.
 *
 * @param files Called for each request.
 */
export function servePage(files: () => Promise<PageFiles>): Handler {
  const made = new WeakMap<Buffer, Made>();
  const common = pageHeaders();
  return async (request, host) => {
    const { method, header, pathParameters } = request;
    const isHead = method === 'HEAD';
    if (!isHead && method !== 'GET') return await refuse('method_not_allowed', 'Use GET.', host);
    const asked = pathParameters.file ?? '';
    if (asked === '') return redirect(request, common);
    const path = /^[^/.]+$/.test(asked) ? indexName : asked;
    const bytes = (await files()).get(path);
    if (!bytes) return await refuse('not_found', 'The dashboard has no such file.', host);
    const file = made.get(bytes) ?? make(bytes);
    made.set(bytes, file);
    const headers = { ...common, ...headersOf(path), etag: file.tag };
    if (hasTag(header('if-none-match'), file.tag)) return { statusCode: 304, headers, body: '' };
    const isZipped = acceptsGzip({ header });
    return answerWith(isZipped ? file.zipped : bytes, headers, { isHead, isZipped });
  };
}

interface Made {
  /** Of the content, and not of one coding of it. */
  readonly tag: string;
  readonly zipped: Buffer;
}

const make = (bytes: Buffer): Made => ({
  tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  zipped: gzipSync(bytes, { level: 9 }),
});

const headersOf = (path: string) => ({
  'content-type': contentTypeOf(path),
  'cache-control': path.startsWith('assets/') ? assetCacheControl : indexCacheControl,
  vary: 'accept-encoding',
});

function answerWith(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  { isHead, isZipped }: { readonly isHead: boolean; readonly isZipped: boolean },
): HttpAnswer {
  const sendTo: { sendTo(response: NodeJS.WritableStream): Promise<void> } = {
    async sendTo(response) {
      response.write(bytes);
    },
  };
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'content-length': `${bytes.length}`,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    },
    body: isHead ? '' : sendTo,
  };
}

/** To the first page. The path of the request has the stage, which the address of the dashboard needs. */
function redirect({ path }: HttpRequest, common: Readonly<Record<string, string>>): HttpAnswer {
  // Of two slashes at its beginning, the browser would read the name of a host.
  const parts = path.split('/').filter((part) => part !== '');
  return {
    statusCode: 302,
    headers: {
      ...common,
      location: `/${[...parts, firstPage].join('/')}`,
      'cache-control': indexCacheControl,
    },
    body: '',
  };
}

async function refuse(
  code: 'method_not_allowed' | 'not_found',
  message: string,
  { requestId }: RequestHost,
): Promise<HttpAnswer> {
  const options = { requestId, finished: async () => {} };
  return await respondWithError(new GatewayError(code, message), ['GET', 'HEAD'], options, {
    'cache-control': 'no-store',
  });
}
