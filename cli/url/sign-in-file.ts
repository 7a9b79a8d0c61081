/** Where `login` keeps what it got, by the gateway's address: a file below the user's directory of settings, which only the user can read. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const signInSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('address'), token: z.string(), expires_at: z.number() }),
  z.object({
    way: z.literal('oidc'),
    issuer: z.string(),
    client_id: z.string(),
    id_token: z.string(),
    refresh_token: z.exactOptional(z.string()),
    /** Of the ID token, in Unix seconds. */
    expires_at: z.number(),
  }),
]);

export type StoredSignIn = z.infer<typeof signInSchema>;
export type IssuerSignIn = Extract<StoredSignIn, { way: 'oidc' }>;

const fileSchema = z.record(z.string(), signInSchema);

export interface SignInFile {
  find(address: string): Promise<StoredSignIn | undefined>;
  put(address: string, signIn: StoredSignIn): Promise<void>;
  /** False if there was none. */
  remove(address: string): Promise<boolean>;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function openSignInFile(variables: Variables): SignInFile {
  const directory =
    variables.XDG_CONFIG_HOME || variables.APPDATA || join(variables.HOME || homedir(), '.config');
  const path = join(directory, 'model-gateway', 'sign-in.json');
  const read = async () => {
    const text = await readFile(path, 'utf8').catch(() => '{}');
    return fileSchema.safeParse(parse(text)).data ?? {};
  };
  return {
    find: async (address) => (await read())[address],
    put: async (address, signIn) => write(path, { ...(await read()), [address]: signIn }),
    async remove(address) {
      const { [address]: found, ...others } = await read();
      if (found) await write(path, others);
      return found !== undefined;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Atomic. */
async function write(path: string, all: Readonly<Record<string, StoredSignIn>>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(temporary, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
