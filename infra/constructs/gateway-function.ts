/**
 * A Lambda function with our defaults, and the verbs that give it something to use: each one grants the permission and
 * sets the environment variable together, so that neither is ever there without the other.
 */
import { Aws, type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { keyItemPrefix, lastUsedAttribute, partitionKey } from '../../lib/core/tables.ts';
import type { GatewayTable } from './gateway-table.ts';

interface GatewayFunctionProps {
  readonly description: string;
  /** The directory that holds the function's `index.mjs`. */
  readonly bundle: string;
  readonly timeout: Duration;
  /** Megabytes. A request mostly waits, so memory is what a deployment pays for. */
  readonly memory: number;
  readonly logLevel: string;
}

export class GatewayFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly logs: LogGroup;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: GatewayFunctionProps) {
    super(scope, id);
    this.logs = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The managed policy for functions may write every log of the account; this role only its own.
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logs.grantWrite(this.role);
    this.handler = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: props.memory,
      timeout: props.timeout,
      tracing: Tracing.DISABLED,
      role: this.role,
      logGroup: this.logs,
      environment: { POWERTOOLS_SERVICE_NAME: 'model-gateway', LOG_LEVEL: props.logLevel },
    });
  }

  /** Lets the function read a table, and tells it the table's name. */
  reads(table: GatewayTable): void {
    this.uses(table, table.readActions);
  }

  /** Lets the function write whole items into a table, and tells it the table's name. */
  writes(table: GatewayTable): void {
    this.uses(table, ['dynamodb:PutItem']);
  }

  /** Lets the function change items of a table in place, and tells it the table's name. */
  updates(table: GatewayTable): void {
    this.uses(table, ['dynamodb:UpdateItem']);
  }

  /** Lets the function read ranges of a table's items, and tells it the table's name. */
  queries(table: GatewayTable): void {
    this.uses(table, ['dynamodb:Query']);
  }

  /** Lets the function remove items from a table, and tells it the table's name. */
  deletes(table: GatewayTable): void {
    this.uses(table, ['dynamodb:DeleteItem']);
  }

  /**
   * Lets the function note when a key was last used, and change nothing else of the table: no function can give a key
   * more than it has, or wake one that is disabled.
   */
  notesKeyUse({ table }: GatewayTable): void {
    const statement = new PolicyStatement({
      actions: ['dynamodb:UpdateItem'],
      resources: [table.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${keyItemPrefix}*`] },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': [partitionKey, lastUsedAttribute] },
      },
    });
    this.role.addToPolicy(statement);
  }

  /**
   * Lets the function read the providers' API keys, and tells it where they are: below `prefix`, each a SecureString
   * named `<provider>/api-key`. They are encrypted with the account's own key for parameters, which needs no grant.
   */
  readsProviderKeys(prefix: string): void {
    const resource = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${prefix}/*`;
    this.role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [resource] }));
    this.handler.addEnvironment('PROVIDER_PARAMETERS_PREFIX', prefix);
    this.acknowledgeWildcards(
      [resource],
      'One parameter for each provider, all below the prefix of this stack.',
    );
  }

  /** Tells the function how long the ledger keeps its records. */
  keepsLedger(days: number): void {
    this.handler.addEnvironment('GATEWAY_LEDGER_DAYS', `${days}`);
  }

  /** Lets the function call models on Bedrock. */
  invokesModels(): void {
    const resources = [
      `arn:${Aws.PARTITION}:bedrock:*::foundation-model/*`,
      `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:inference-profile/*`,
    ];
    const actions = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
    this.acknowledgeWildcards(
      resources,
      'The catalog says which models are served and where; a row may be added without a deployment.',
    );
  }

  private uses({ table, environmentVariable }: GatewayTable, actions: readonly string[]): void {
    table.grant(this.role, ...actions);
    this.handler.addEnvironment(environmentVariable, table.tableName);
  }

  private acknowledgeWildcards(resources: readonly string[], reason: string): void {
    const rules = resources.map((resource) => ({
      id: `AwsSolutions-IAM5[Resource::${withPlaceholders(resource)}]`,
      reason,
    }));
    Validations.of(this.role).acknowledge(...rules);
  }
}

/** An ARN the way a rule's finding spells it: with names for what only a deployment knows. */
function withPlaceholders(arn: string): string {
  return arn
    .replaceAll(Aws.PARTITION, '<AWS::Partition>')
    .replaceAll(Aws.REGION, '<AWS::Region>')
    .replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>');
}
