/**
 * Where the people of a dashboard sign in: a user pool that only invites, its pages, and the one client, which has no secret. Sources:
 * docs.aws.amazon.com Cognito, cognito-user-pools-managed-login, authentication-flows-selection-sdk (codes by mail and passkeys need
 * the plan Essentials and version 2 of the pages), API_WebAuthnConfigurationType.
 */
import { Aws, CfnCondition, Duration, Fn, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPool,
  CfnUserPoolGroup,
  CfnUserPoolUser,
  CfnUserPoolUserToGroupAttachment,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  PasskeyUserVerification,
  StringAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { maxTenantName } from '../../../lib/admin/tenancy-schema.ts';
import { loopbackCallbacks } from '../../../lib/core/admin/loopback-callbacks.ts';
import { groupsOfRoles, roles } from '../../../lib/core/admin/user.ts';
import type { DashboardSettings } from '../../settings/groups/dashboard.ts';
import { acknowledge } from '../acknowledge.ts';
import { uniqueName } from '../function/unique-name.ts';
import { companyProvider } from './company-provider.ts';

interface SignInProps
  extends Pick<DashboardSettings, 'operatorEmail' | 'needsTwoFactors' | 'identityProvider'> {
  /** Of the dashboard, without a slash at the end. */
  readonly pageUrl: string;
  readonly retain: boolean;
  /** Whether the region may be one of GovCloud, where hosts are named otherwise. */
  readonly mayBeGovCloud: boolean;
}

/** The attribute with the tenant of a user, without the prefix `custom:`. Only the admin API writes it. */
const tenantAttribute = 'tenant';

const protectionCost =
  'Its plan, Plus, costs 0.02 USD for each user and month; no one can sign up by themselves.';

const shortLived = Duration.minutes(10);
const session = Duration.hours(12);

export class SignIn extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;
  /** Where a browser ends its session. */
  readonly signOutUrl: string;

  constructor(scope: Construct, id: string, props: SignInProps) {
    super(scope, id);
    this.pool = this.makePool(props);
    const provider = props.identityProvider && companyProvider(this, this.pool, props.identityProvider);
    this.client = this.makeClient(props.pageUrl, provider?.providerName);
    if (provider) this.client.node.addDependency(provider);
    const domain = this.pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: uniqueName() },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Without a style, the pages are not served.
    const style = new CfnManagedLoginBranding(this, 'Style', {
      userPoolId: this.pool.userPoolId,
      clientId: this.client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    style.node.addDependency(domain);
    this.addGroups(props.operatorEmail);
    this.signOutUrl = `https://${uniqueName()}.${this.signInHost(props.mayBeGovCloud)}.${Aws.REGION}.amazoncognito.com/logout`;
  }

  /** Of the tokens. */
  get issuer(): string {
    return `https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}/${this.pool.userPoolId}`;
  }

  /** Source: docs.aws.amazon.com govcloud-us, govcloud-cog. */
  private signInHost(mayBeGovCloud: boolean): string {
    if (!mayBeGovCloud) return 'auth';
    const isGovCloud = new CfnCondition(this, 'IsGovCloud', {
      expression: Fn.conditionEquals(Aws.PARTITION, 'aws-us-gov'),
    });
    return Fn.conditionIf(isGovCloud.logicalId, 'auth-fips', 'auth').toString();
  }

  private makePool({ needsTwoFactors, retain, pageUrl }: SignInProps): UserPool {
    const pool = new UserPool(this, 'Pool', {
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      keepOriginal: { email: true },
      standardAttributes: { email: { required: true, mutable: true }, fullname: { mutable: true } },
      customAttributes: { [tenantAttribute]: new StringAttribute({ maxLen: maxTenantName, mutable: true }) },
      // Cognito does not let a pool be without passwords; those who are invited get none, and need none.
      signInPolicy: {
        allowedFirstAuthFactors: { password: true, emailOtp: !needsTwoFactors, passkey: true },
      },
      passkeyUserVerification: PasskeyUserVerification.REQUIRED,
      // Those who set up a second factor could not sign in by a code alone any more.
      mfa: needsTwoFactors ? Mfa.REQUIRED : Mfa.OFF,
      ...(needsTwoFactors && { mfaSecondFactor: { sms: false, otp: true } }),
      enableSmsRole: false,
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      userInvitation: {
        emailSubject: 'Invitation to a model gateway',
        emailBody: `You are invited to the dashboard of a model gateway: ${pageUrl}/dashboard/<br>Sign in as {username}. If you are asked for a password: {####}`,
      },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // The construct has no property for it: a passkey that checks its owner is two factors.
    if (needsTwoFactors)
      Object.assign(pool.node.defaultChild as CfnUserPool, {
        webAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      });
    acknowledge(pool, {
      ...(!needsTwoFactors && {
        COG2: 'People sign in with a passkey that checks its owner, or a code by mail; operators demand two factors with dashboardMfa=required.',
      }),
      COG3: protectionCost,
      COG8: protectionCost,
    });
    return pool;
  }

  private makeClient(pageUrl: string, provider: string | undefined): UserPoolClient {
    const own = UserPoolClientIdentityProvider.COGNITO;
    return this.pool.addClient('Page', {
      generateSecret: false,
      // What the sign-in pages use; a choice of the factor needs it.
      authFlows: { user: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${pageUrl}/admin/v1/sign-in/callback`, ...loopbackCallbacks],
        logoutUrls: [`${pageUrl}/dashboard/overview`],
      },
      idTokenValidity: shortLived,
      accessTokenValidity: shortLived,
      refreshTokenValidity: session,
      // Two tabs may refresh at the same time.
      refreshTokenRotationGracePeriod: Duration.seconds(60),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
      // The tenant decides what a user may see: no one changes their own.
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true, fullname: true }),
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true, fullname: true })
        .withCustomAttributes(tenantAttribute),
      supportedIdentityProviders:
        provider === undefined ? [own] : [own, UserPoolClientIdentityProvider.custom(provider)],
    });
  }

  /** One for each role, and the first operator. */
  private addGroups(operatorEmail: string): void {
    const userPoolId = this.pool.userPoolId;
    const [operators] = roles.map(
      (role, precedence) =>
        new CfnUserPoolGroup(this, `Group-${role}`, {
          userPoolId,
          groupName: groupsOfRoles[role],
          precedence,
        }),
    );
    if (!operatorEmail || !operators) return;
    const user = new CfnUserPoolUser(this, 'Operator', {
      userPoolId,
      username: operatorEmail,
      desiredDeliveryMediums: ['EMAIL'],
      userAttributes: [
        { name: 'email', value: operatorEmail },
        { name: 'email_verified', value: 'true' },
      ],
    });
    new CfnUserPoolUserToGroupAttachment(this, 'OperatorRole', {
      userPoolId,
      username: user.ref,
      groupName: operators.ref,
    });
    // The invitation names the dashboard, and the pages of sign-in should be there when it arrives.
    user.node.addDependency(this.client);
  }
}
