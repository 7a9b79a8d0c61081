/** Calls that change something. */
import { refresh } from './cache.ts';
import { type CallOptions, call, type Method } from './call.ts';

/** Then what is shown of its resource is read again: also what was refused may be so since others have changed it. */
export const write = <Data>(method: Method, path: string, options?: CallOptions): Promise<Data> =>
  call<Data>(method, path, options).finally(() => refresh(`/${path.split('/')[1]}`));
