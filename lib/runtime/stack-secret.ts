/**
 * The secret of an installation, of which keys are derived that encrypt what it stores: 32 bytes, made once and never changed. In AWS
 * it is a SecureString that the seed makes during a deployment; elsewhere a file that only its owner can read, made on first use.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lazyFor } from '../async/lazy.ts';
import { ownFailureFields } from '../core/errors/failure-fields.ts';
import { secretName, secretPath } from '../core/provider-settings.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';
import { createStoredSettings } from './stored-settings.ts';

const secretBytes = 32;

/** A key of 32 bytes for one purpose, such as `own-keys acme`. No one who has it can tell another one. */
export type DeriveKey = (purpose: string) => Promise<Buffer>;

/** One for each installation. It rejects while the secret cannot be read, and then tries again. */
export const deriveKeyOf = lazyFor((variables: Variables): DeriveKey => {
  const { environment, ssm, now, log } = foundationOf(variables);
  const { PROVIDER_PARAMETERS_PREFIX: prefix, GATEWAY_SECRET_FILE: file } = environment;
  const warn = (cause: unknown) => log.warn('secret of the stack not read', ownFailureFields(cause));
  return prefix ? deriveInStack({ call: ssm, prefix, now, warn }) : deriveFromFile(file);
});

/** `prefix`: the path of the providers' settings. */
export const deriveInStack = (options: Parameters<typeof createStoredSettings>[0]): DeriveKey =>
  deriveWith(readStored(createStoredSettings({ ...options, prefix: secretPath(options.prefix) })));

export const deriveFromFile = (path: string | undefined): DeriveKey => deriveWith(() => readSecretFile(path));

function deriveWith(read: () => Promise<Buffer>): DeriveKey {
  let secret: Promise<Buffer> | undefined;
  return async (purpose) => {
    secret ??= read();
    const bytes = await secret.catch((error) => {
      secret = undefined;
      throw error;
    });
    return Buffer.from(hkdfSync('sha256', bytes, '', purpose, secretBytes));
  };
}

const readStored = (find: ReturnType<typeof createStoredSettings>) => async (): Promise<Buffer> => {
  const text = (await find()).get(secretName);
  if (text === undefined) throw new Error('The stack has no secret yet: deploy it again.');
  return checked(Buffer.from(text, 'base64'));
};

async function readSecretFile(path: string | undefined): Promise<Buffer> {
  if (path === undefined)
    throw new Error('The environment variable GATEWAY_SECRET_FILE must name a file for the secret.');
  return checked(await readFile(path).catch(() => makeSecretFile(path)));
}

/** Other processes may make it at the same time: the first one's counts. */
async function makeSecretFile(path: string): Promise<Buffer> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, randomBytes(secretBytes), { mode: 0o600, flag: 'wx' });
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  return await readFile(path);
}

function checked(secret: Buffer): Buffer {
  if (secret.length === secretBytes) return secret;
  throw new Error(`The secret of the installation must have ${secretBytes} bytes.`);
}
