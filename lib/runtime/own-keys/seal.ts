/**
 * Seals the credentials of tenants: AES-256-GCM, with a key of the tenant that is derived from the secret of the installation, or
 * with the operator's key in KMS. A sealed text opens only for the tenant, account and id that it was sealed for.
 */
import { lazy } from '../../async/lazy.ts';
import type { SealedFor } from '../../core/credential.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import { openBytes, sealBytes } from '../../core/sealed-bytes.ts';
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
      if (kmsKey === undefined) {
        const bytes = sealBytes(await keyOf(what), purposeOf(what), Buffer.from(text));
        return `${byKey}.${bytes.toString('base64url')}`;
      }
      const input = { KeyId: kmsKey, EncryptionContext: context(what) };
      const Plaintext = Buffer.from(text).toString('base64');
      const { CiphertextBlob } = await (await kms())('TrentService.Encrypt', { ...input, Plaintext });
      return `${byKms}.${String(CiphertextBlob)}`;
    },
    async open(what, sealed) {
      const [form, text = ''] = sealed.split('.', 2);
      if (form === byKey)
        return settingsIn(openBytes(await keyOf(what), purposeOf(what), Buffer.from(text, 'base64url')));
      if (form !== byKms) throw new Error('A sealed credential has an unknown form.');
      const input = { CiphertextBlob: text, EncryptionContext: context(what) };
      const { Plaintext } = await (await kms())('TrentService.Decrypt', input);
      return settingsIn(Buffer.from(String(Plaintext), 'base64'));
    },
  };
}

const settingsIn = (bytes: Buffer): Settings => parseJson(bytes.toString()) as Settings;

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

const purposeOf = ({ tenant, account, id }: SealedFor): string => JSON.stringify([tenant, account, id]);
