/** The token of calls to a gateway: that of the environment, or of the last `login`, which is continued where it can be. */
import { refreshSignIn } from './issuer.ts';
import type { SignInFile } from './sign-in-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A token that ends sooner is not used any more. */
const marginSeconds = 30;

/** Rejects with Error if there is none. */
export async function findToken(address: string, variables: Variables, file: SignInFile): Promise<string> {
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
