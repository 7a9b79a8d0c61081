/** The identity provider of a company, at which people sign in beside the user pool. */
import { SecretValue } from 'aws-cdk-lib';
import {
  ProviderAttribute,
  type UserPool,
  UserPoolIdentityProviderOidc,
  UserPoolIdentityProviderSaml,
  UserPoolIdentityProviderSamlMetadata,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { IdentityProvider } from '../../settings/groups/identity-provider.ts';

/** As its button reads. */
const name = 'Company';

/** Claims that SAML providers use by common consent. Source: docs.aws.amazon.com Cognito, cognito-user-pools-specifying-attribute-mapping. */
const samlClaims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

export function companyProvider(scope: Construct, userPool: UserPool, provider: IdentityProvider) {
  if (provider.kind === 'saml')
    return new UserPoolIdentityProviderSaml(scope, 'Company', {
      userPool,
      name,
      metadata: UserPoolIdentityProviderSamlMetadata.url(provider.metadataUrl),
      attributeMapping: {
        email: ProviderAttribute.other(`${samlClaims}/emailaddress`),
        fullname: ProviderAttribute.other(`${samlClaims}/name`),
      },
    });
  return new UserPoolIdentityProviderOidc(scope, 'Company', {
    userPool,
    name,
    issuerUrl: provider.issuer,
    clientId: provider.clientId,
    // A dynamic reference: CloudFormation puts the secret in while it deploys, and the template has only its name.
    clientSecret: SecretValue.secretsManager(provider.secretArn).unsafeUnwrap(),
    scopes: ['openid', 'email', 'profile'],
    attributeMapping: { email: ProviderAttribute.other('email'), fullname: ProviderAttribute.other('name') },
  });
}
