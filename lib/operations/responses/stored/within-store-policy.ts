/** A request for a response of a caller whose data policy forbids that the gateway stores anything. */
import type { Call } from '../../../core/endpoint.ts';
import { requireMayStore } from '../../../core/may-store.ts';
import { overridden } from '../../../normalization/rule.ts';
import type { ResponsesInput } from '../read/read.ts';

/** What is stored by default is not, where a policy forbids it; what is asked for is refused. */
export function withinStorePolicy({ input, key }: Call<ResponsesInput>): ResponsesInput {
  if (input.background) requireMayStore(key, 'background');
  if (input.storeAsked) requireMayStore(key, 'store');
  if (!input.store) return input;
  return {
    ...input,
    store: false,
    echo: { ...input.echo, store: false },
    leftOut: [...input.leftOut, overridden('store', true, false, "The data policy has 'no_store'.")],
  };
}
