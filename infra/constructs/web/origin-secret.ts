/**
 * What API Gateway sends to a Web Function with each request, so that nothing else is answered: the address of a Web Function is
 * public, and requests that went there directly would pass neither the throttle of the API nor its access log.
 *
 * Each secret has a number, and its value never changes. The functions accept the one of this number and the one before it, and
 * the API sends the one of this number. A deployment updates the functions before the API, because the API refers to them; so
 * raising the number by one exchanges the secret without a refused request.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** Letters and digits: they have no meaning in the mapping of a header. */
const generateSecretString = { passwordLength: 48, excludePunctuation: true, requireEachIncludedType: false };

export class OriginSecret extends Construct {
  /** The current one first. */
  private readonly accepted: readonly [Secret, ...Secret[]];

  constructor(scope: Construct, id: string, { number }: { readonly number: number }) {
    super(scope, id);
    this.accepted = number === 1 ? [this.secret(1)] : [this.secret(number), this.secret(number - 1)];
  }

  /**
   * The value that API Gateway sends, as a dynamic reference: the template does not contain it. CloudFormation puts it in while it
   * deploys, and resolves it in any property of a resource. Source: AWS CloudFormation user guide, "Get a secret or secret value
   * from Secrets Manager".
   */
  get sent(): string {
    return this.accepted[0].secretValue.unsafeUnwrap();
  }

  /** The ARNs of those that are accepted, separated by commas. */
  get names(): string {
    return this.accepted.map(({ secretArn }) => secretArn).join(',');
  }

  /** Lets a function read them when it starts; they are in no variable, which everyone sees who may look at the function. */
  allowReading(role: Role): void {
    const resources = this.accepted.map(({ secretArn }) => secretArn);
    role.addToPolicy(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources }));
  }

  private secret(number: number): Secret {
    const secret = new Secret(this, `Number${number}`, {
      description: `What the API sends to Web Functions, number ${number}`,
      generateSecretString,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(secret, {
      SMG4: 'A deployment with the next number exchanges it, in the right order for the functions and the API.',
    });
    return secret;
  }
}
