/**
 * Fetches an image or a document from a caller's URL, for providers that do not accept URLs: only over https, only from
 * public addresses, within limits of size and time. The URL is not trusted: no keys, cookies or request headers are sent.
 */
import { isIP } from 'node:net';
import { createSlots, type RunInSlot } from '../async/slots.ts';
import { createWorkTime, type WorkTime } from '../async/work-time.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { maxTextBytes } from '../core/formats/file-type.ts';
import { knownMedia, sniffMediaType } from '../core/formats/media-type.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import type {
  FetchedMedia,
  FetchMedia,
  FetchOptions,
  MediaBudget,
  MediaBytes,
  MediaKind,
} from '../core/ports/media.ts';
import { serverBusy } from '../core/ports/memory.ts';
import { isPublicAddress } from './address-guard.ts';
import { mediaFactor } from './answer-memory.ts';
import { sendOver } from './http-client/exchange.ts';
import {
  type Lookup,
  lookupAll,
  openPinned,
  type ResolvedUrl,
  type TlsOptions,
} from './http-client/pinned-connection.ts';
import { createMediaBytes, headBytes } from './media-bytes.ts';

export interface MediaFetcherOptions {
  /** All addresses of a host name. Default: the system's resolver. */
  readonly lookup?: Lookup;
  /** Default: public addresses only. */
  readonly isAllowed?: (address: string) => boolean;
  /** Default 443 only. */
  readonly ports?: readonly number[];
  /** Default 10 MB for an image, 20 MB for a document. */
  readonly maxBytes?: number;
  /** For everything, redirects included. Default 10 s. */
  readonly timeoutMs?: number;
  readonly tls?: TlsOptions;
}

interface Settings
  extends Required<Omit<MediaFetcherOptions, 'maxBytes'>>,
    Pick<MediaFetcherOptions, 'maxBytes'> {
  /** For connections, by address. */
  readonly inSlot: RunInSlot;
  /** For look-ups of names. */
  readonly inLookup: RunInSlot;
}

/** One download, redirects included. */
interface Download extends Pick<FetchOptions, 'kind' | 'budget'> {
  readonly settings: Settings;
  readonly time: WorkTime;
  readonly signal: AbortSignal;
}

const megabyte = 1024 * 1024;

/** Connections to one address at the same time, of all requests of this process together. */
const maxConnectionsToHost = 4;

/** Names looked up at the same time. A look-up takes one of Node's four threads, and cannot be ended. */
const maxLookups = 2;

const maxRedirects = 3;

/** Of one link, from the name of its host to its last byte, redirects included. */
const maxFetchMs = 10_000;

const maxImageBytes = 10 * megabyte;
const maxDocumentBytes = 20 * megabyte;
/** Google takes 20 MB in one request, and base64 is a third longer than what it holds. */
const maxVideoBytes = 14 * megabyte;

/** As the operation that transcribes takes it in a form. */
const maxAudioBytes = 25 * megabyte;
const maxAudioMs = 30_000;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Kind {
  readonly accept: string;
  readonly maxBytes: number;
  readonly noun: string;
  /** If not that of the fetcher. */
  readonly timeoutMs?: number;
}

const kinds: Readonly<Record<MediaKind, Kind>> = {
  image: {
    accept: 'image/png, image/jpeg, image/gif, image/webp',
    maxBytes: maxImageBytes,
    noun: 'image',
  },
  file: { accept: 'application/pdf', maxBytes: maxDocumentBytes, noun: 'document' },
  office: { accept: '*/*', maxBytes: maxDocumentBytes, noun: 'document' },
  text: { accept: '*/*', maxBytes: maxTextBytes, noun: 'text file' },
  video: { accept: 'video/*', maxBytes: maxVideoBytes, noun: 'video' },
  audio: { accept: 'audio/*, video/*', maxBytes: maxAudioBytes, noun: 'audio', timeoutMs: maxAudioMs },
};

/** Opens no connection before the first call. */
export function createMediaFetcher(options: MediaFetcherOptions = {}): FetchMedia {
  const settings: Settings = {
    lookup: lookupAll,
    isAllowed: isPublicAddress,
    ports: [443],
    timeoutMs: maxFetchMs,
    tls: {},
    inSlot: createSlots(maxConnectionsToHost),
    inLookup: createSlots(maxLookups),
    ...options,
  };
  return async (url, { kind, param, signal, budget }) => {
    const { timeoutMs = settings.timeoutMs } = kinds[kind];
    const time = createWorkTime(timeoutMs);
    const ending = AbortSignal.any(signal ? [signal, time.signal] : [time.signal]);
    try {
      return await fetchMedia(url, { kind, ...(budget && { budget }), settings, time, signal: ending });
    } catch (error) {
      if (signal?.aborted) throw new GatewayError('client_closed', 'The client closed the connection.');
      if (error instanceof GatewayError && error.kind === 'server_busy') throw error;
      const reason = time.signal.aborted ? 'it took too long' : reasonOf(error);
      const message = `The ${kinds[kind].noun} could not be fetched: ${reason}.`;
      throw new GatewayError('invalid_request', message, { param, cause: error });
    }
  };
}

/** The reason as the end of a sentence, without details of the gateway's own network. */
class Rejection extends Error {}

function reasonOf(error: unknown): string {
  return error instanceof Rejection ? error.message : 'its server could not be reached';
}

async function fetchMedia(url: string, download: Download): Promise<FetchedMedia> {
  let resolved = await resolve(url, download);
  for (let redirects = 0; ; redirects += 1) {
    const found = await request(resolved, download);
    if (typeof found !== 'string') return toMedia(found, download.kind);
    if (redirects === maxRedirects) throw new Rejection('there were too many redirects');
    resolved = await resolve(found, download);
  }
}

/** The URL and the addresses of its host, after every check that is possible before connecting. */
async function resolve(text: string, download: Download): Promise<ResolvedUrl> {
  const { settings } = download;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') throw new Rejection('its URL is not an https URL');
  if (url.username || url.password) throw new Rejection('its URL contains a user name or password');
  if (!settings.ports.includes(Number(url.port || 443)))
    throw new Rejection('its URL uses a port other than 443');
  const addresses = await findAddresses(url.hostname, download);
  if (addresses.length === 0) throw new Rejection('its host was not found');
  // A private address among public ones is an attack, not an accident.
  if (!addresses.every(settings.isAllowed)) throw new Rejection('its host is not on the public internet');
  return { url, addresses };
}

async function findAddresses(
  hostname: string,
  { settings, time, signal }: Download,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  // The socket connects to a literal address without the resolver.
  if (isIP(literal)) return [literal];
  const lookUp = () => settings.inLookup('', signal, () => settings.lookup(hostname));
  // A look-up that hangs keeps its turn, so that waiting for one counts.
  return time.run(() => untilAborted(lookUp(), signal)).catch(() => []);
}

/** The bytes at a URL, or the URL that it redirects to. */
async function request(resolved: ResolvedUrl, download: Download): Promise<MediaBytes | string> {
  const { settings, time, signal, budget } = download;
  if (budget) {
    budget.requests -= 1;
    if (budget.requests < 0) throw new Rejection('the URLs of this request lead to too many redirects');
  }
  // A host may have many names, and many addresses in any order.
  const [host = ''] = resolved.addresses.toSorted();
  return await settings.inSlot(host, signal, () => time.run(() => exchange(resolved, download)));
}

async function exchange(resolved: ResolvedUrl, download: Download): Promise<MediaBytes | string> {
  const { settings, signal, kind, budget } = download;
  const { timeoutMs } = settings;
  const { accept, maxBytes } = kinds[kind];
  const connection = openPinned(resolved, settings.tls);
  try {
    const response = await sendOver(
      connection,
      { method: 'GET', url: resolved.url.href, headers: { accept, 'user-agent': 'model-gateway' } },
      { timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs }, signal },
    );
    if (redirectStatuses.has(response.status)) return readLocation(response, resolved.url);
    if (response.status !== 200) throw new Rejection(`its server answered with status ${response.status}`);
    return await readLimited(response, settings.maxBytes ?? maxBytes, budget);
  } finally {
    await connection.destroy();
  }
}

function readLocation({ headers }: HttpResponse, base: URL): string {
  const location = headers.location;
  const url = location === undefined ? null : URL.parse(location, base.href);
  if (!url) throw new Rejection('its server sent a redirect without a valid location');
  return url.href;
}

/** Leaving the loop closes the connection: what is not read is not sent. */
async function readLimited(
  response: HttpResponse,
  maxBytes: number,
  budget: MediaBudget = { left: maxBytes, requests: 0 },
): Promise<MediaBytes> {
  const checkSize = (bytes: number, left: number) => {
    if (bytes > maxBytes) throw new Rejection(`it is larger than ${sizeOf(maxBytes)}`);
    if (left < 0) throw new Rejection(overBudget);
  };
  const announced = Number(response.headers['content-length'] ?? 0);
  checkSize(announced, budget.left - announced);
  const received = createMediaBytes();
  let total = 0;
  for await (const chunk of response.body) {
    total += chunk.length;
    budget.left -= chunk.length;
    checkSize(total, budget.left);
    if (budget.memory && !budget.memory.admit(chunk.length * mediaFactor)) throw serverBusy();
    received.add(chunk);
  }
  return received.end();
}

const overBudget = 'with it, the media of this request have more bytes than a request may have';

const sizeOf = (bytes: number) => (bytes < megabyte ? `${bytes} bytes` : `${bytes / megabyte} MB`);

/** Any byte shows that a file is no text, and the first ones what it is otherwise. */
function toMedia(bytes: MediaBytes, kind: MediaKind): FetchedMedia {
  const { blocks, length } = bytes;
  const mediaType = sniffMediaType(
    Buffer.concat(blocks, kind === 'text' ? length : Math.min(length, headBytes)),
    kind,
  );
  if (!mediaType) throw new Rejection(`it is not a ${knownMedia[kind]}`);
  return { mediaType, ...bytes };
}

/** A name lookup cannot be canceled, but it need not be waited for. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
