/** Images and documents by URL: fetched within bounds, and never from where callers may not look. */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPublicAddress } from '../../lib/transport/address-guard.ts';
import { createMediaFetcher, type MediaFetcherOptions } from '../../lib/transport/media-fetcher.ts';
import { failureOf, listen } from './upstream.ts';

const certificate = readFileSync(new URL('test-only-certificate.pem', import.meta.url));

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0 and more', 'latin1');
const param = 'messages.0.content.1.image_url.url';
const asked = { kind: 'image', param } as const;

/** An https server on loopback, and a fetcher for which every name leads there and loopback is public. */
async function startImages(listener: RequestListener, options: MediaFetcherOptions = {}) {
  const server = await listen(createServer({ key: certificate, cert: certificate }, listener));
  const fetch = createMediaFetcher({
    lookup: async () => ['127.0.0.1'],
    isAllowed: () => true,
    ports: [443, server.port],
    tls: { ca: certificate },
    ...options,
  });
  return { ...server, fetch, url: `https://images.test:${server.port}` };
}

const refused = (message: string | RegExp) => ({
  kind: 'invalid_request',
  param,
  message: expect.stringMatching(message),
});

describe('an image', () => {
  test.each([
    ['PNG', png, 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['GIF', Buffer.from('GIF89a and more'), 'image/gif'],
    ['WebP', Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8 '), 'image/webp'],
  ])('of type %s is detected by its bytes, not by its header', async (_name, bytes, mediaType) => {
    const { fetch, url } = await startImages((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(bytes);
    });
    expect(await fetch(`${url}/a.txt`, asked)).toEqual({ mediaType, blocks: [bytes], length: bytes.length });
  });

  test('is asked for by its host name, with nothing of the gateway in the request', async () => {
    let seen: unknown;
    const { fetch, url, port } = await startImages(({ method, url, headers }, response) => {
      seen = { method, url, headers };
      response.end(png);
    });
    await fetch(`${url}/a%20b?c=d#e`, asked);
    expect(seen).toEqual({
      method: 'GET',
      url: '/a%20b?c=d',
      headers: {
        host: `images.test:${port}`,
        connection: 'keep-alive',
        accept: 'image/png, image/jpeg, image/gif, image/webp',
        'accept-encoding': 'identity',
        'user-agent': 'model-gateway',
      },
    });
  });

  test.each([
    ['a page', Buffer.from('<html>')],
    ['nothing', Buffer.alloc(0)],
    ['a RIFF that is sound', Buffer.from('RIFF\x00\x00\x00\x00WAVE')],
  ])('is refused when it is %s', async (_name, bytes) => {
    const { fetch, url } = await startImages((_request, response) => response.end(bytes));
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('not a PNG, JPEG, GIF or WebP image'));
  });

  test('is refused when its server says so', async () => {
    const { fetch, url } = await startImages((_request, response) => response.writeHead(404).end(png));
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('status 404'));
  });
});

describe('a URL is refused before any connection', () => {
  test.each([
    ['without TLS', 'http://images.test/', 'not an https URL'],
    ['of another scheme', 'file:///etc/passwd', 'not an https URL'],
    ['that is none', 'images.test/a.png', 'not an https URL'],
    ['with a user name', 'https://user@images.test/', 'user name'],
    ['with a password', 'https://:secret@images.test/', 'user name or password'],
    ['with another port', 'https://images.test:8443/', 'a port other than 443'],
    ['of loopback', 'https://127.0.0.1/', 'not on the public internet'],
    ['of loopback, in hexadecimal', 'https://0x7f.1/', 'not on the public internet'],
    ['of metadata', 'https://169.254.169.254/latest/meta-data/', 'not on the public internet'],
    ['of IPv6 loopback', 'https://[::1]/', 'not on the public internet'],
    ['of mapped loopback', 'https://[::ffff:127.0.0.1]/', 'not on the public internet'],
    ['of IPv6 metadata', 'https://[fd00:ec2::254]/', 'not on the public internet'],
  ])('%s', async (_name, url, message) => {
    // A resolver that always says yes has no say about a literal address.
    const fetch = createMediaFetcher({ lookup: async () => ['93.184.215.14'], timeoutMs: 500 });
    const error = await failureOf(fetch(url, asked));
    expect(error).toMatchObject(refused(message));
    expect((error as Error).message).not.toContain('secret');
  });

  test('whose host is the local one by name', async () => {
    const error = await failureOf(createMediaFetcher()('https://localhost/', asked));
    expect(error).toMatchObject(refused('not on the public internet'));
  });

  test.each([
    ['private', ['10.0.0.1']],
    ['public and private', ['93.184.215.14', '10.0.0.1']],
    ['public and IPv6 loopback', ['93.184.215.14', '::1']],
  ])('whose host has %s addresses', async (_name, addresses) => {
    const fetch = createMediaFetcher({ lookup: async () => addresses });
    const error = await failureOf(fetch('https://images.test/', asked));
    expect(error).toMatchObject(refused('not on the public internet'));
  });

  test.each([
    ['has no address', async () => []],
    [
      'is not known',
      async () => {
        throw new Error('ENOTFOUND');
      },
    ],
  ])('whose host %s', async (_name, lookup) => {
    const error = await failureOf(createMediaFetcher({ lookup })('https://images.test/', asked));
    expect(error).toMatchObject(refused('its host was not found'));
  });
});

describe('the connection', () => {
  test('goes to the address that was checked: the name is resolved once', async () => {
    let lookups = 0;
    const lookup = async () => {
      lookups += 1;
      return lookups === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
    };
    const { fetch, url } = await startImages((_request, response) => response.end(png), { lookup });
    await fetch(url, asked);
    expect(lookups).toBe(1);
  });

  test('is rejected when the certificate is for another host', async () => {
    const { fetch, port } = await startImages((_request, response) => response.end(png));
    const error = await failureOf(fetch(`https://wrong.test:${port}/`, asked));
    expect(error).toMatchObject(refused('could not be reached'));
  });

  test('is rejected when the certificate is not trusted', async () => {
    const { fetch, url } = await startImages((_request, response) => response.end(png), { tls: {} });
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('could not be reached'));
  });

  test('is closed when the image is there', async () => {
    const { fetch, url, sockets } = await startImages((_request, response) => response.end(png));
    await fetch(url, asked);
    await sleep(50);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a redirect', () => {
  /** Redirects `/0` to `/1` and so on, and answers at the last one. */
  const chain =
    (length: number): RequestListener =>
    ({ url = '' }, response) => {
      const step = Number(url.slice(1));
      if (step < length) response.writeHead(302, { location: `/${step + 1}`, 'set-cookie': 'a=b' }).end();
      else response.end(png);
    };

  test('is followed three times', async () => {
    const { fetch, url } = await startImages(chain(3));
    expect(await fetch(`${url}/0`, asked)).toMatchObject({ mediaType: 'image/png' });
  });

  test('is not followed a fourth time', async () => {
    const { fetch, url } = await startImages(chain(4));
    expect(await failureOf(fetch(`${url}/0`, asked))).toMatchObject(refused('too many redirects'));
  });

  test('takes no cookie along', async () => {
    const cookies: unknown[] = [];
    const { fetch, url } = await startImages((request, response) => {
      cookies.push(request.headers.cookie);
      chain(1)(request, response);
    });
    await fetch(`${url}/0`, asked);
    expect(cookies).toEqual([undefined, undefined]);
  });

  test.each([
    ['a private address', 'https://10.0.0.1/', 'not on the public internet'],
    ['the metadata service', 'https://169.254.169.254/', 'not on the public internet'],
    ['a name with a private address', 'https://other.test/', 'not on the public internet'],
    ['a URL without TLS', 'http://images.test/', 'not an https URL'],
    ['a URL with a password', 'https://a:b@images.test/', 'user name or password'],
    ['another port', 'https://images.test:8443/', 'a port other than 443'],
    ['no URL', 'https://', 'redirect without a valid location'],
  ])('to %s is refused', async (_name, location, message) => {
    const { fetch, url } = await startImages(
      (_request, response) => response.writeHead(301, { location }).end(),
      {
        lookup: async (hostname) => (hostname === 'images.test' ? ['127.0.0.1'] : ['10.0.0.1']),
        isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
      },
    );
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused(message));
  });
});

describe('the size', () => {
  const options = { maxBytes: 1000 };

  test('may be just the limit', async () => {
    const { fetch, url } = await startImages((_request, response) => {
      response.end(Buffer.concat([png, Buffer.alloc(1000 - png.length)]));
    }, options);
    expect(await fetch(url, asked)).toMatchObject({ mediaType: 'image/png' });
  });

  test('is refused when it is announced, without waiting for it', async () => {
    const { fetch, url } = await startImages((_request, response) => {
      response.writeHead(200, { 'content-length': '1001' }).write(png);
    }, options);
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('larger than 1000 bytes'));
  });

  test('is refused when it is not announced, without waiting for the end', async () => {
    const { fetch, url } = await startImages((_request, response) => {
      response.write(Buffer.concat([png, Buffer.alloc(1001)]));
    }, options);
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('larger than 1000 bytes'));
  });
});

describe('a document', () => {
  const pdf = Buffer.from('%PDF-1.7 and more');
  const source = { kind: 'file', param: 'messages.0.content.1.file.file_url' } as const;

  test('is detected by its bytes, and requested with its media type', async () => {
    let accept: string | undefined;
    const { fetch, url } = await startImages(({ headers }, response) => {
      accept = headers.accept;
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(pdf);
    });
    const bytes = { blocks: [pdf], length: pdf.length };
    expect(await fetch(`${url}/a`, source)).toEqual({ mediaType: 'application/pdf', ...bytes });
    expect(accept).toBe('application/pdf');
  });

  test('is rejected when it is not a document, as is a document in place of an image', async () => {
    let bytes = png;
    const { fetch, url } = await startImages((_request, response) => response.end(bytes));
    const error = await failureOf(fetch(url, source));
    const message = 'The document could not be fetched: it is not a PDF document.';
    expect(error).toMatchObject({ kind: 'invalid_request', param: source.param, message });
    bytes = pdf;
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('not a PNG, JPEG, GIF or WebP image'));
  });

  test('may be larger than an image, and no larger than 20 MB', async () => {
    let bytes = Buffer.concat([pdf, Buffer.alloc(15 * 1024 * 1024)]);
    const { fetch, url } = await startImages((_request, response) => response.end(bytes));
    expect(await fetch(url, source)).toMatchObject({ mediaType: 'application/pdf' });
    expect(await failureOf(fetch(url, asked))).toMatchObject(refused('larger than 10 MB'));
    bytes = Buffer.concat([pdf, Buffer.alloc(20 * 1024 * 1024)]);
    expect(await failureOf(fetch(url, source))).toMatchObject({ kind: 'invalid_request' });
  });
});

describe('the time', () => {
  const options = { timeoutMs: 150 };
  const tooLong = refused('it took too long');

  test('is over when the server is silent', async () => {
    const { fetch, url } = await startImages(() => {}, options);
    expect(await failureOf(fetch(url, asked))).toMatchObject(tooLong);
  });

  test('is over when the image drips', async () => {
    const { fetch, url } = await startImages((_request, response) => {
      response.write(png);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    }, options);
    expect(await failureOf(fetch(url, asked))).toMatchObject(tooLong);
  });

  test('is over when the name is never resolved', async () => {
    const lookup = () => new Promise<never>(() => {});
    const { fetch, url } = await startImages(() => {}, { ...options, lookup });
    expect(await failureOf(fetch(url, asked))).toMatchObject(tooLong);
  });

  test('is over for all redirects together', async () => {
    const { fetch, url } = await startImages(async (_request, response) => {
      await sleep(60);
      response.writeHead(302, { location: '/' }).end();
    }, options);
    expect(await failureOf(fetch(url, asked))).toMatchObject(tooLong);
  });

  test('is over when the caller leaves', async () => {
    const caller = new AbortController();
    onTestFinished(() => caller.abort());
    const { fetch, url, sockets } = await startImages(() => {});
    setTimeout(() => caller.abort(), 50);
    const error = await failureOf(fetch(url, { ...asked, signal: caller.signal }));
    expect(error).toMatchObject({ kind: 'client_closed' });
    await sleep(50);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

test('names are looked up two at a time, and a look-up that hangs ends no later than its request', async () => {
  let running = 0;
  const lookup = async () => {
    running += 1;
    return new Promise<readonly string[]>(() => {});
  };
  const fetch = createMediaFetcher({ lookup, timeoutMs: 300 });
  const all = ['a', 'b', 'c', 'd'].map((name) => failureOf(fetch(`https://${name}.test/`, asked)));
  for (const failure of await Promise.all(all)) expect(failure).toMatchObject(refused('too long'));
  expect(running).toBe(2);
});
