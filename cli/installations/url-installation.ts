/** A gateway that is reached by its dashboard's API alone: commands that need its database say so. */
import { isLoopback } from '../../server/addresses.ts';
import { type Installation, UsageError } from '../command.ts';
import { refreshSignIn } from '../url/issuer.ts';
import { createCallAdmin } from '../url/send-admin.ts';
import { openSignInFile, type SignInFile } from '../url/sign-in-file.ts';

/** Without a slash at the end, and without the path of the dashboard or its API. Throws UsageError. */
export function readGatewayAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      '--url must be an address such as https://gateway.example, without a name or password.',
    );
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
    throw new UsageError('--url must begin with https://: http:// is for gateways of this machine only.');
  const path = url.pathname.replace(/\/(dashboard|admin)(\/.*)?$/, '').replace(/(?<!\/)\/+$/, '');
  return url.origin + path;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A token that ends sooner is not used any more. */
const marginSeconds = 30;

/** Rejects with Error if there is none. */
async function findToken(address: string, variables: Variables, file: SignInFile): Promise<string> {
  if (variables.GATEWAY_ADMIN_TOKEN) return variables.GATEWAY_ADMIN_TOKEN;
  const known = await file.find(address);
  const isFresh = known !== undefined && known.expires_at > Date.now() / 1000 + marginSeconds;
  if (known?.way === 'oidc') {
    if (isFresh) return known.id_token;
    const next = await refreshSignIn(known).catch(() => undefined);
    if (next) await file.put(address, next);
    if (next) return next.id_token;
  }
  if (known?.way === 'address' && isFresh) return known.token;
  throw new Error(`You are not signed in, or no longer. Sign in with: login --url ${address}`);
}

/** Throws UsageError for an address that is none, or has no TLS. */
export function openUrl(url: string, variables: NodeJS.ProcessEnv): Installation {
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
