/**
 * The HTTP client of a process that serves one request at a time, over Node's own HTTP. It is part of the runtime, while undici adds
 * 137 KB to each function, and a tenth to the processor time of a cold start. undici needs less for a request.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as openSecurely, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { HttpRequest } from '../../core/ports/http.ts';
import { openEarly, withoutBrackets } from './early-sockets.ts';
import { sendOver } from './exchange.ts';
import type { HttpClient } from './http-client.ts';
import type { TlsOptions } from './pinned-connection.ts';
import { sendForTextOver } from './text-exchange.ts';

type Options = Dispatcher.DispatchOptions;
type Open = (options: Options) => ClientRequest;
type Handler = Dispatcher.DispatchHandler;

/** How long idle connections are kept, unless the server says otherwise. A connection attempt fails after this time. */
const idleMs = 30_000;

/** Opens nothing until the first request. */
export function createNodeClient(tls: TlsOptions = {}): HttpClient {
  // An import of the module would also load fetch, whose classes it exports.
  const { Agent: PlainAgent, request: openPlainly } = process.getBuiltinModule('node:http');
  const settings = { keepAlive: true, timeout: idleMs };
  const plain = new PlainAgent(settings);
  const secure = new SecureAgent({ ...settings, ...tls });
  const early = {
    plain: openEarly(plain, settings, 80),
    secure: openEarly(secure, { ...settings, ...tls }, 443),
  };
  const originOf = rememberOrigins();
  const open: Open = ({ origin, path, method, headers }) => {
    const { isSecure, ...address } = originOf(String(origin));
    const options = { ...address, path, method, headers: headers as HttpRequest['headers'] };
    return isSecure ? openSecurely({ ...options, agent: secure }) : openPlainly({ ...options, agent: plain });
  };
  const dispatcher: Pick<Dispatcher, 'dispatch'> = {
    dispatch: (options, handler) => dispatch(options, open, handler),
  };
  return {
    send: (request, options) => sendOver(dispatcher, request, options),
    sendForText: (request, options) => sendForTextOver(dispatcher, request, options),
    preconnect: (url) => (url.startsWith('https:') ? early.secure : early.plain).open(url),
    async close() {
      early.plain.close();
      early.secure.close();
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Origins that a process remembers. More are forgotten all at once. */
const maxOrigins = 1_000;

interface Origin {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: string;
}

/** Node would read the URL of each request. */
function rememberOrigins(): (origin: string) => Origin {
  const known = new Map<string, Origin>();
  return (origin) => {
    const found = known.get(origin);
    if (found) return found;
    const { protocol, hostname, port } = new URL(origin);
    const read = { isSecure: protocol === 'https:', host: withoutBrackets(hostname), port };
    if (known.size >= maxOrigins) known.clear();
    known.set(origin, read);
    return read;
  };
}

/** Sends a request and calls the handler as a dispatcher of undici does. */
function dispatch(options: Options, open: Open, handler: Handler): true {
  const controller = createController();
  const { body } = options;
  try {
    const exchange = open(options);
    controller.exchange = exchange;
    const cancel = () => exchange.destroy();
    exchange.once('timeout', cancel);
    exchange.once('socket', (socket) => {
      const onConnected = () => {
        exchange.off('timeout', cancel);
        reportStart(controller, handler);
      };
      if (isConnected(socket)) onConnected();
      else socket.once(exchange.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
    });
    exchange.on('response', (response) => reportResponse(response, controller, handler));
    exchange.on('error', (error) => handler.onResponseError?.(controller, error));
    if (body instanceof Readable) body.pipe(exchange);
    else exchange.end(body);
  } catch (error) {
    handler.onResponseError?.(controller, error instanceof Error ? error : new Error('not sent'));
  }
  return true;
}

/** Reused, or opened early. */
const isConnected = (socket: Socket & { readonly secureConnecting?: boolean }): boolean =>
  !socket.connecting && socket.secureConnecting !== true;

function reportStart(controller: Controller, handler: Handler): void {
  try {
    handler.onRequestStart?.(controller, {});
  } catch {
    // The request has been canceled.
    controller.exchange?.destroy();
  }
}

function reportResponse(response: IncomingMessage, controller: Controller, handler: Handler): void {
  controller.response = response;
  response.on('error', (error) => handler.onResponseError?.(controller, error));
  response.on('end', () => handler.onResponseEnd?.(controller, {}));
  handler.onResponseStart?.(controller, response.statusCode ?? 0, response.headers);
  response.on('data', (chunk) => handler.onResponseData?.(controller, chunk));
}

interface Controller extends Dispatcher.DispatchController {
  exchange?: ClientRequest;
  response?: IncomingMessage;
}

function createController(): Controller {
  return {
    aborted: false,
    paused: false,
    reason: null,
    abort(reason) {
      this.exchange?.destroy(reason);
    },
    pause() {
      this.response?.pause();
    },
    resume() {
      this.response?.resume();
    },
  };
}
