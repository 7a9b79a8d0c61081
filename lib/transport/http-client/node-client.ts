/**
 * The client of functions that call AWS and nobody else, over Node's own HTTP: it is in the runtime, where undici is
 * 165 KB for each of them to load. undici takes less processor time for a request, but these make two or three.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as openSecurely, Agent as SecureAgent } from 'node:https';
import type { Dispatcher } from 'undici';
import type { HttpRequest } from '../../core/ports.ts';
import { sendOver } from './exchange.ts';
import type { HttpClient } from './http-client.ts';
import type { TlsOptions } from './pinned-connection.ts';

type Open = (request: HttpRequest) => ClientRequest;
type Handler = Dispatcher.DispatchHandler;

/** Idle connections are kept for so long, or as long as the server says; one that is being opened is given up then. */
const idleMs = 30_000;

/** Opens nothing until the first request. */
export function createNodeClient(tls: TlsOptions = {}): HttpClient {
  // Imported as a module it would load all of fetch, whose classes are among its names.
  const { Agent: PlainAgent, request: openPlainly } = process.getBuiltinModule('node:http');
  const settings = { keepAlive: true, timeout: idleMs };
  const plain = new PlainAgent(settings);
  const secure = new SecureAgent({ ...settings, ...tls });
  const open: Open = ({ url, method, headers }) => {
    const options = { method, headers: { 'accept-encoding': 'identity', ...headers } };
    return url.startsWith('https:')
      ? openSecurely(url, { ...options, agent: secure })
      : openPlainly(url, { ...options, agent: plain });
  };
  return {
    send: (request, options) =>
      sendOver({ dispatch: (_options, handler) => dispatch(request, open, handler) }, request, options),
    async close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Makes a request, and tells the handler of it as a dispatcher of undici does. */
function dispatch(request: HttpRequest, open: Open, handler: Handler): true {
  const controller = createController();
  try {
    const exchange = open(request);
    controller.exchange = exchange;
    const giveUp = () => exchange.destroy();
    exchange.once('timeout', giveUp);
    exchange.once('socket', (socket) => {
      const onConnected = () => {
        exchange.off('timeout', giveUp);
        tellStart(controller, handler);
      };
      if (exchange.reusedSocket) onConnected();
      else socket.once(exchange.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
    });
    exchange.on('response', (response) => tellResponse(response, controller, handler));
    exchange.on('error', (error) => handler.onResponseError?.(controller, error));
    exchange.end(request.body);
  } catch (error) {
    handler.onResponseError?.(controller, error instanceof Error ? error : new Error('not sent'));
  }
  return true;
}

function tellStart(controller: Controller, handler: Handler): void {
  try {
    handler.onRequestStart?.(controller, {});
  } catch {
    // It was given up meanwhile.
    controller.exchange?.destroy();
  }
}

function tellResponse(response: IncomingMessage, controller: Controller, handler: Handler): void {
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
