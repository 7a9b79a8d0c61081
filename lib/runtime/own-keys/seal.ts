/**
 * Seals the credentials of tenants: AES-256-GCM, with a key of the tenant that is derived from the secret of the installation, or
 * with the operator's key in KMS. A sealed text opens only for the tenant, account and id that it was sealed for.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { lazy } from '../../async/lazy.ts';
import type { SealedFor } from '../../core/credential.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import type { Foundation } from '../foundation.ts';
import { type DeriveKey, deriveKeyOf } from '../stack-secret.ts';

/** By name, such as `api-key`. */
type Settings = Readonly<Record<string, string>>;

export interface Sealer {
  readonly seal: (what: SealedFor, settings: Settings) => Promise<string>;
  /** Rejects for a text that was changed, or sealed for something else. */
  readonly open: (what: SealedFor, sealed: string) => Promise<Settings>;
}

const byKey = 'a';
const byKms = 'k';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

interface SealerOptions {
  readonly derive: DeriveKey;
  /** The operator's key in KMS, with which is sealed; absent: the derived one. */
  readonly kmsKey?: string | undefined;
  readonly kms: () => Promise<AwsCall>;
}

export function createSealer({ derive, kmsKey, kms }: SealerOptions): Sealer {
  const keyOf = ({ tenant }: SealedFor) => derive(`own keys of ${tenant}`);
  const context = ({ tenant, account, id }: SealedFor) => ({ tenant, account, credential: id });
  return {
    async seal(what, settings) {
      const text = JSON.stringify(settings);
      if (kmsKey === undefined) return `${byKey}.${encrypt(await keyOf(what), bytesOf(what), text)}`;
      const input = { KeyId: kmsKey, EncryptionContext: context(what) };
      const Plaintext = Buffer.from(text).toString('base64');
      const { CiphertextBlob } = await (await kms())('TrentService.Encrypt', { ...input, Plaintext });
      return `${byKms}.${String(CiphertextBlob)}`;
    },
    async open(what, sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      if (form === byKey) return settingsIn(decrypt(await keyOf(what), bytesOf(what), text));
      if (form !== byKms) throw new Error('A sealed credential has an unknown form.');
      const input = { CiphertextBlob: text, EncryptionContext: context(what) };
      const { Plaintext } = await (await kms())('TrentService.Decrypt', input);
      return settingsIn(Buffer.from(String(Plaintext), 'base64').toString());
    },
  };
}

const settingsIn = (text: string): Settings => parseJson(text) as Settings;

/** That of this installation. */
export const sealerOf = ({ variables, environment, sendForText, sign, endpointOf }: Foundation): Sealer =>
  createSealer({
    derive: deriveKeyOf(variables),
    kmsKey: environment.PROVIDER_PARAMETERS_KEY,
    kms: lazy(async () => {
      const { createAwsCall } = await import('../../transport/aws/aws-call.ts');
      const service = { service: 'kms', endpoint: endpointOf('kms'), jsonVersion: '1.1' as const };
      return createAwsCall({ sendForText, sign, region: environment.AWS_REGION, ...service });
    }),
  });

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
