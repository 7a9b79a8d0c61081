/** The interface between `lib/http` and an operation of the dashboard: the validated request, who sends it, and the answer. */
import * as z from 'zod/mini';
import type { ReadHeader } from '../endpoint.ts';
import type { Shown, User } from './user.ts';

/** One request of anyone. */
export interface OpenCall<Parameters, Body> {
  /** Of path and query. */
  readonly parameters: Parameters;
  readonly body: Body;
  /** What the request shows of who sends it. */
  readonly shown: Shown;
  /** A header of the request, by its name in lower case. */
  readonly header: ReadHeader;
  readonly requestId: string;
  /** Aborted when the client disconnects, or at the deadline. */
  readonly signal: AbortSignal;
}

/** One request of a user whose role may call the operation. */
interface AdminCall<Parameters, Body> extends OpenCall<Parameters, Body> {
  readonly user: User;
}

export type AdminAnswer =
  | {
      readonly type: 'json';
      readonly body: object;
      readonly headers?: Readonly<Record<string, string>>;
      /** Values of `Set-Cookie`. */
      readonly cookies?: readonly string[];
    }
  | {
      /** 303: the browser asks for the address with GET. */
      readonly type: 'redirect';
      readonly location: string;
      readonly cookies?: readonly string[];
    };

type Schema = z.core.$ZodType;

interface Shape<Parameters extends Schema, Body extends Schema> {
  /** Of path and query together, which are texts. */
  readonly parameters: Parameters;
  /** An empty body is read as an empty object. */
  readonly body: Body;
}

/** The implementation of an operation for people with a role. */
export interface AdminEndpoint<Parameters extends Schema, Body extends Schema>
  extends Shape<Parameters, Body> {
  readonly answer: (call: AdminCall<z.core.output<Parameters>, z.core.output<Body>>) => Promise<AdminAnswer>;
}

/** The same for an operation that needs no sign-in, such as the sign-in itself. */
export interface OpenEndpoint<Parameters extends Schema, Body extends Schema>
  extends Shape<Parameters, Body> {
  readonly answer: (call: OpenCall<z.core.output<Parameters>, z.core.output<Body>>) => Promise<AdminAnswer>;
}

/** For operations without parameters, or without a body. */
export const nothing = z.strictObject({});
export type Nothing = typeof nothing;

/** The files of the dashboard's page: their bytes by path, such as `index.html` and `assets/main-ABCDEFGH.js`. */
export type PageFiles = ReadonlyMap<string, Buffer>;
