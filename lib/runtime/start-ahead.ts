/**
 * What the first request of a function needs, begun while the function starts. Lambda gives a start more processor time than
 * most memory sizes have in a request; since 2025-08-01 it bills both. Source: AWS Lambda developer guide, "Defined runtime
 * environment variables", for the variable.
 */
import type { Providers } from '../providers/provider.ts';
import type { Foundation } from './foundation.ts';

/** `name` is the provider that the requests of the function most often go to: its family is loaded. */
export type StartAhead = (name: string) => void;

export function createStartAhead(
  { variables, connectToDatabase }: Pick<Foundation, 'variables' | 'connectToDatabase'>,
  providers: Pick<Providers, 'loadBuiltIn'>,
): StartAhead {
  const start = variables.AWS_LAMBDA_INITIALIZATION_TYPE;
  return (name) => {
    // A server has no limit of this kind, and loads what its requests need.
    if (start === undefined) return;
    // An environment that is kept ready is frozen for longer than connections stay open.
    if (start === 'on-demand') connectToDatabase();
    providers.loadBuiltIn(name).catch(() => {});
  };
}
