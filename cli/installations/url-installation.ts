/** A gateway that is reached by its dashboard's API alone: commands that need its database say so. */
import { type Installation, UsageError } from '../command.ts';
import { readGatewayAddress } from '../url/gateway-address.ts';
import { createCallAdmin } from '../url/send-admin.ts';
import { openSignInFile } from '../url/sign-in-file.ts';
import { findToken } from '../url/token.ts';

interface UrlOptions {
  readonly url: string;
  readonly variables: NodeJS.ProcessEnv;
}

/** Throws UsageError for an address that is none, or has no TLS. */
export function openUrl({ url, variables }: UrlOptions): Installation {
  const address = readGatewayAddress(url);
  const file = openSignInFile(variables);
  const remote = createCallAdmin(address, () => findToken(address, variables, file));
  const has = { remote, now: Date.now, close: async () => {} };
  return new Proxy(has, { get: memberOf }) as unknown as Installation;
}

/** Everything else is of the database. */
function memberOf(has: object, name: string | symbol): unknown {
  // A promise that is resolved with it asks whether it is one, too.
  if (name === 'then' || name in has) return Reflect.get(has, name);
  throw new UsageError(
    'This command needs the database of the gateway, which --url does not reach. Use --stack, or the variables of its tables.',
  );
}
