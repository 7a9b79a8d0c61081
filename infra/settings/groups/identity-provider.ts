/** Where people of the dashboard sign in beside its user pool: at the identity provider of a company. */
import { matching, oneOf, type SettingRow, type SettingText } from '../values.ts';

export type IdentityProvider =
  | {
      readonly kind: 'oidc';
      /** `identityProviderIssuer`: an https URL. */
      readonly issuer: string;
      /** `identityProviderClientId`. */
      readonly clientId: string;
      /** `identityProviderSecretArn`: the ARN of the client secret in Secrets Manager. */
      readonly secretArn: string;
    }
  | {
      readonly kind: 'saml';
      /** `identityProviderMetadata`: the https URL of its metadata. */
      readonly metadataUrl: string;
    };

const secretArn = /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[\w/+=.@-]{1,519}$/;
/** Source: docs.aws.amazon.com Cognito, cognito-user-pools-oidc-idp. */
const clientId = /^[\x21-\x7e]{1,131}$/;

const ofKind = {
  oidc: ['identityProviderIssuer', 'identityProviderClientId', 'identityProviderSecretArn'],
  saml: ['identityProviderMetadata'],
} as const;

export const identityProviderRows: readonly SettingRow[] = [
  {
    name: 'identityProvider',
    meaning:
      'Where people of the dashboard sign in beside its user pool: `oidc` or `saml`, with the settings that follow',
  },
  { name: 'identityProviderIssuer', meaning: 'With `oidc`: the https URL of the issuer' },
  {
    name: 'identityProviderClientId',
    meaning: 'With `oidc`: the id of the client that was registered there',
  },
  {
    name: 'identityProviderSecretArn',
    meaning:
      'With `oidc`: the ARN of a secret of Secrets Manager whose text is the client secret; the template has only its name',
  },
  { name: 'identityProviderMetadata', meaning: 'With `saml`: the https URL of the metadata of the provider' },
];

/** Throws an Error that names the setting at fault. */
export function readIdentityProvider(text: SettingText): IdentityProvider | undefined {
  const kind = oneOf(text, 'identityProvider', ['none', 'oidc', 'saml'], 'none');
  for (const [other, names] of Object.entries(ofKind))
    for (const name of names)
      if (other !== kind && text(name, ''))
        throw new Error(
          `The setting "${name}" has no effect without identityProvider=${other}: leave it out.`,
        );
  if (kind === 'none') return undefined;
  const missing = ofKind[kind].find((name) => !text(name, ''));
  if (missing !== undefined)
    throw new Error(`The setting "${missing}" is needed with identityProvider=${kind}.`);
  if (kind === 'saml') return { kind, metadataUrl: httpsUrl('identityProviderMetadata', text) };
  return {
    kind,
    issuer: httpsUrl('identityProviderIssuer', text),
    clientId: matching(text, 'identityProviderClientId', clientId, 'the id of a client'),
    secretArn: matching(
      text,
      'identityProviderSecretArn',
      secretArn,
      'the ARN of a secret of Secrets Manager',
    ),
  };
}

function httpsUrl(name: string, text: SettingText): string {
  const value = text(name, '');
  const url = URL.parse(value);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return value;
  throw new Error(`The setting "${name}" must be an https URL without a user, not "${value}".`);
}
