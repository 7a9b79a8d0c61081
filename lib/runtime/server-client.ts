/** The HTTP client of a process that serves many requests at a time: undici needs the least processor time for each. */
import { createHttpClient } from '../transport/http-client/http-client.ts';
import type { Variables } from './environment.ts';
import { chooseHttpClient } from './foundation.ts';

/** Call it before the functions are created. */
export const useServerClient = (variables: Variables): void =>
  chooseHttpClient(variables, createHttpClient());
