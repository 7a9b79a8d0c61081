/**
 * Seals the credentials of tenants: AES-256-GCM, with a key of the tenant that is derived from the secret of the installation, or
 * with the operator's key in KMS. A sealed text opens only for the tenant, account and id that it was sealed for.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedFor } from '../../core/credential.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import type { DeriveKey } from '../stack-secret.ts';

export interface Sealer {
  seal(what: SealedFor, text: string): Promise<string>;
  /** Rejects for a text that was changed, or sealed for something else. */
  open(what: SealedFor, sealed: string): Promise<string>;
}

const byKey = 'a';
const byKms = 'k';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export interface SealerOptions {
  readonly derive: DeriveKey;
  /** The operator's key in KMS, with which is sealed; absent: the derived one. */
  readonly kmsKey?: string | undefined;
  readonly kms: () => Promise<AwsCall>;
}

export function createSealer({ derive, kmsKey, kms }: SealerOptions): Sealer {
  const keyOf = ({ tenant }: SealedFor) => derive(`own keys of ${tenant}`);
  const context = ({ tenant, account, id }: SealedFor) => ({ tenant, account, credential: id });
  return {
    async seal(what, text) {
      if (kmsKey === undefined) return `${byKey}.${encrypt(await keyOf(what), bytesOf(what), text)}`;
      const input = { KeyId: kmsKey, EncryptionContext: context(what) };
      const Plaintext = Buffer.from(text).toString('base64');
      const { CiphertextBlob } = await (await kms())('TrentService.Encrypt', { ...input, Plaintext });
      return `${byKms}.${String(CiphertextBlob)}`;
    },
    async open(what, sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      if (form === byKey) return decrypt(await keyOf(what), bytesOf(what), text);
      if (form !== byKms) throw new Error('A sealed credential has an unknown form.');
      const input = { CiphertextBlob: text, EncryptionContext: context(what) };
      const { Plaintext } = await (await kms())('TrentService.Decrypt', input);
      return Buffer.from(String(Plaintext), 'base64').toString();
    },
  };
}

const bytesOf = ({ tenant, account, id }: SealedFor) => Buffer.from(JSON.stringify([tenant, account, id]));

function encrypt(key: Buffer, what: Buffer, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(what);
  const sealed = [sealing.update(text, 'utf8'), sealing.final()];
  return Buffer.concat([nonce, ...sealed, sealing.getAuthTag()]).toString('base64url');
}

function decrypt(key: Buffer, what: Buffer, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const nonce = bytes.subarray(0, nonceBytes);
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(what)
    .setAuthTag(bytes.subarray(-tagBytes));
  return opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
}

/** What was sealed: the settings of a credential, by their names. */
export const settingsIn = (text: string): Readonly<Record<string, string>> =>
  parseJson(text) as Readonly<Record<string, string>>;
