/**
 * What a role may do, and the environment variables of the code that has it: each method grants a permission and sets its variable
 * together. Functions and containers share them, so that an operation has the same permissions wherever it runs.
 */
import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { credentialUseAttributes, credentialUsePrefix } from '../../../lib/core/credential.ts';
import { secretName, secretPath } from '../../../lib/core/provider-settings.ts';
import {
  creditAttributes,
  keyItemPrefix,
  lastUsedAttribute,
  tenantItemPrefix,
} from '../../../lib/core/tables.ts';
import type { BedrockSettings } from '../../settings/groups/bedrock.ts';
import { cloudWatch, type TelemetrySettings } from '../../settings/groups/telemetry.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { hostVariables } from '../function/host-variables.ts';
import type { UsedTable } from '../table/used-table.ts';
import {
  callable,
  changesOf,
  guarding,
  itemsOf,
  namesOfTenants,
  subscribing,
  tableKeyActions,
  usingKey,
} from './statements.ts';

type Bedrock = BedrockSettings['bedrock'];

interface PermissionsProps {
  readonly role: Role;
  /** The ARN of the operator's key for tables and provider keys; none if empty. */
  readonly kmsKeyArn: string;
  /** Sets a variable of the code that has the role. */
  readonly setVariable: (name: string, value: string) => void;
}

/** `PutItem` is a whole item; `BatchGetItem` reads several at a time, `BatchWriteItem` writes several, and `Scan` reads the table as a whole. */
export type TableAction =
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Scan';

export class Permissions {
  private readonly role: Role;
  private readonly kmsKeyArn: string;
  private readonly setVariable: (name: string, value: string) => void;

  constructor({ role, kmsKeyArn, setVariable }: PermissionsProps) {
    this.role = role;
    this.kmsKeyArn = kmsKeyArn;
    this.setVariable = setVariable;
    for (const [name, value] of Object.entries(hostVariables(role))) setVariable(name, value);
  }

  /** Allows reading items of a table. `items`: here and below, the beginnings of the keys of the only ones; absent: all. */
  reads(table: UsedTable, items?: readonly string[]): void {
    this.uses(table, table.readActions, items);
  }

  /** Allows another action on a table or its items. */
  acts(action: TableAction, table: UsedTable, items?: readonly string[]): void {
    this.uses(table, [`dynamodb:${action}`], items);
  }

  /**
   * Allows recording the last use of a key, and no other change: no function can extend the permissions of a key or enable
   * a disabled one.
   */
  notesKeyUse(table: UsedTable): void {
    this.updatesOnly(table, keyItemPrefix, [lastUsedAttribute]);
  }

  /** Allows recording when a credential of a tenant was used, or refused. */
  notesCredentialUse(table: UsedTable): void {
    this.updatesOnly(table, credentialUsePrefix, credentialUseAttributes);
  }

  /** Allows sealing or opening credentials of tenants with the operator's key, if there is one. */
  sealsCredentials(...actions: readonly string[]): void {
    if (!this.kmsKeyArn) return;
    const conditions = { StringLike: { 'kms:EncryptionContext:credential': 'cred_*' } };
    this.role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [this.kmsKeyArn], conditions }),
    );
  }

  /** Allows recording how much of the grants of tenants was used, and no other change of a tenant. */
  settlesCredit(table: UsedTable): void {
    this.updatesOnly(table, tenantItemPrefix, creditAttributes);
  }

  /** Allows reading the names of all tenants. */
  listsTenants({ table }: UsedTable): void {
    this.role.addToPolicy(namesOfTenants(table));
  }

  /** Allows writing objects of a bucket of this account, below a prefix. */
  putsObjects(bucket: string, prefix: string): void {
    const resource = `arn:${Aws.PARTITION}:s3:::${bucket}/${prefix}/*`;
    const statement = new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: [resource],
      // If the bucket is deleted, someone else can take its name.
      conditions: { StringEquals: { 's3:ResourceAccount': Aws.ACCOUNT_ID } },
    });
    this.role.addToPolicy(statement);
    acknowledgeWildcards(this.role, [resource], 'One object for each tenant, day and part.');
  }

  /** Allows actions on the objects of the bucket of files, and says for how long files are kept. */
  usesFiles(bucket: string, days: number, actions: readonly string[]): void {
    const objectsOf = (name: string) => `arn:${Aws.PARTITION}:s3:::${name}/t/*`;
    this.role.addToPolicy(
      new PolicyStatement({
        actions: [...actions],
        resources: [objectsOf(bucket)],
        conditions: { StringEquals: { 's3:ResourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    // The rules name an output of another stack as it is in the template.
    const name = Stack.of(this.role).resolve(bucket);
    const written = typeof name === 'string' ? name : JSON.stringify(name);
    acknowledgeWildcards(this.role, [objectsOf(written)], 'One object for each part of a file.');
    this.usesKey('s3', ['kms:Decrypt', 'kms:GenerateDataKey']);
    this.setVariables({ GATEWAY_FILES_BUCKET: bucket, GATEWAY_FILES_DAYS: `${days}` });
  }

  /**
   * Allows reading the provider API keys below `prefix`, each a SecureString named `<provider>/api-key`, all together: the action is
   * authorized on the path itself, and covers all below it. The account's default key for parameters needs no grant. Source:
   * Systems Manager API reference, GetParametersByPath, and the refusals of callers that were granted `<path>/*`.
   */
  readsProviderKeys(prefix: string): void {
    const path = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${prefix}`;
    // The secret of the stack is in a path of its own below it.
    const resources = [path, secretPath(path)];
    this.role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParametersByPath'], resources }));
    this.usesKey('ssm', ['kms:Decrypt'], { 'kms:EncryptionContext:PARAMETER_ARN': `${path}/*` });
    this.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
  }

  /** Allows reading the secret of the stack, and no key of a provider. */
  readsSecret(prefix: string): void {
    const path = secretPath(`arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${prefix}`);
    this.role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParametersByPath'], resources: [path] }));
    this.usesKey('ssm', ['kms:Decrypt'], { 'kms:EncryptionContext:PARAMETER_ARN': `${path}/*` });
    this.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
  }

  /** Allows making the secret of the stack. */
  makesSecret(prefix: string): void {
    const parameter = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${secretPath(prefix)}/${secretName}`;
    this.role.addToPolicy(new PolicyStatement({ actions: ['ssm:PutParameter'], resources: [parameter] }));
    const context = { 'kms:EncryptionContext:PARAMETER_ARN': parameter };
    this.usesKey('ssm', ['kms:Encrypt', 'kms:GenerateDataKey'], context);
    this.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
    if (this.kmsKeyArn) this.setVariable('PROVIDER_PARAMETERS_KEY', this.kmsKeyArn);
  }

  /** Any others. `wildcards`: why a resource is more than one. */
  allows(actions: readonly string[], resource: string, wildcards?: string): void {
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
    if (wildcards !== undefined) acknowledgeWildcards(this.role, [resource], wildcards);
  }

  /** Lets web pages of these origins read the answers. */
  answersPages(origins: readonly string[]): void {
    if (origins.length > 0) this.setVariable('GATEWAY_CORS_ORIGINS', origins.join(','));
  }

  /** Sets how long the ledger keeps its records. */
  keepsLedger(days: number): void {
    this.setVariable('GATEWAY_LEDGER_DAYS', `${days}`);
  }

  /** Sets the one region that serves tenants with credit; empty if there are no others. */
  servesCreditIn(region: string): void {
    if (region !== '') this.setVariable('GATEWAY_CREDIT_REGION', region);
  }

  /** Sets the namespace of the metrics in log lines, and the models that are counted by name in them. */
  measuresRequests(namespace: string, models: readonly string[]): void {
    this.setVariable('GATEWAY_METRICS', namespace);
    if (models.length > 0) this.setVariable('GATEWAY_METRIC_MODELS', models.join(','));
  }

  /** Sets the longest that content is cached at providers. */
  cachesContent(seconds: number): void {
    this.setVariable('GATEWAY_CACHE_SECONDS', `${seconds}`);
  }

  /** Allows putting events on the default bus of the account. */
  putsEvents(): void {
    const bus = `arn:${Aws.PARTITION}:events:${Aws.REGION}:${Aws.ACCOUNT_ID}:event-bus/default`;
    this.role.addToPolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus] }));
  }

  /** Allows starting the function that creates responses in the background, and no other. */
  startsRuns({ functionArn }: IFunction): void {
    this.allows(['lambda:InvokeFunction'], functionArn);
    this.setVariable('GATEWAY_BACKGROUND_FUNCTION', functionArn);
  }

  /** Allows starting the function that works on batches, and no other. */
  startsBatches({ functionArn }: IFunction): void {
    this.allows(['lambda:InvokeFunction'], functionArn);
    this.setVariable('GATEWAY_BATCHES_FUNCTION', functionArn);
  }

  /** Allows making schedules of a group, by its name, which have this role and no other. */
  makesSchedules(group: string, { roleArn }: Role): void {
    const each = `arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule/${group}/*`;
    this.allows(
      ['scheduler:CreateSchedule'],
      each,
      'One schedule for each attempt, or work on a batch, that is to come.',
    );
    const toScheduler = { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } };
    this.role.addToPolicy(
      new PolicyStatement({ actions: ['iam:PassRole'], resources: [roleArn], conditions: toScheduler }),
    );
    this.setVariables({ GATEWAY_SCHEDULE_GROUP: group, GATEWAY_SCHEDULE_ROLE: roleArn });
  }

  /** Makes what it serves part of a trace, whose spans the aggregator sends. */
  tracesRequests({ otlpEndpoint, traceProviders }: TelemetrySettings): void {
    if (!otlpEndpoint) return;
    this.setVariables(endpointVariables(otlpEndpoint));
    if (traceProviders.length > 0) this.setVariable('GATEWAY_TRACE_PROVIDERS', traceProviders.join(','));
  }

  /**
   * Allows sending spans and metrics to CloudWatch or, to an endpoint of the operator's, with the headers that a SecureString named
   * `parameter` has. Source of the permissions: AWSXrayWriteOnlyPolicy and CloudWatchAgentServerPolicy, which AWS names for its
   * endpoints; neither action has resources.
   */
  sendsTelemetry(
    otlpEndpoint: string,
    { parameter, name }: { readonly parameter: string; readonly name: string },
  ): void {
    if (!otlpEndpoint) return;
    this.setVariables(endpointVariables(otlpEndpoint));
    this.setVariable('OTEL_SERVICE_NAME', name);
    this.setVariable('OTEL_RESOURCE_ATTRIBUTES', `cloud.provider=aws,cloud.region=${Aws.REGION}`);
    if (otlpEndpoint === cloudWatch) {
      const actions = ['xray:PutTraceSegments', 'cloudwatch:PutMetricData'];
      this.role.addToPolicy(new PolicyStatement({ actions, resources: ['*'] }));
      acknowledgeWildcards(this.role, ['*'], 'Spans and metrics have no resources to name.');
      return;
    }
    const resource = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${parameter}`;
    this.role.addToPolicy(new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [resource] }));
    this.usesKey('ssm', ['kms:Decrypt'], { 'kms:EncryptionContext:PARAMETER_ARN': resource });
    this.setVariable('GATEWAY_OTLP_HEADERS_PARAMETER', parameter);
  }

  setVariables(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) this.setVariable(name, value);
  }

  /** Allows calling models on Bedrock, and subscribing to them there if the operator wants it. */
  invokesModels(bedrock: Bedrock): void {
    this.callsBedrock(bedrock, 'bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream');
    this.asksDetectors(bedrock);
    if (!bedrock.marketplace) return;
    this.role.addToPolicy(subscribing());
    acknowledgeWildcards(
      this.role,
      ['*'],
      'Products of the marketplace have no ARN, and only Bedrock may name one.',
    );
  }

  /** Allows asking guardrails and checks of Bedrock. */
  asksDetectors(bedrock: Bedrock): void {
    for (const statement of guarding(bedrock)) {
      this.role.addToPolicy(statement);
      acknowledgeWildcards(
        this.role,
        statement.resources,
        'Policies of tenants name guardrails while the gateway runs; checks have no resource to name.',
      );
    }
  }

  /** Allows counting tokens on Bedrock. */
  countsTokens(bedrock: Bedrock): void {
    this.callsBedrock(bedrock, 'bedrock:CountTokens');
  }

  private callsBedrock(bedrock: Bedrock, ...actions: readonly string[]): void {
    const resources = callable(bedrock);
    this.role.addToPolicy(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
    if (bedrock.region) this.setVariable('GATEWAY_BEDROCK_REGION', bedrock.region);
    if (bedrock.geography !== 'any') this.setVariable('GATEWAY_BEDROCK_GEOGRAPHY', bedrock.geography);
    acknowledgeWildcards(
      this.role,
      resources,
      'The catalog decides which models are served and where; a row may be added without a deployment.',
    );
  }

  private updatesOnly({ table }: UsedTable, prefix: string, attributes: readonly string[]): void {
    this.role.addToPolicy(changesOf(table, prefix, attributes));
    this.usesKey('dynamodb', tableKeyActions);
  }

  /** Allows a service to use the operator's key for the role, if there is one. */
  usesKey(service: string, actions: readonly string[], contextLike?: Record<string, string>): void {
    if (this.kmsKeyArn) this.role.addToPolicy(usingKey(this.kmsKeyArn, service, actions, contextLike));
  }

  private uses(
    { table, tableName, environmentVariable }: UsedTable,
    actions: readonly string[],
    items?: readonly string[],
  ): void {
    if (items) this.role.addToPolicy(itemsOf(table, items, actions));
    else table.grant(this.role, ...actions);
    this.usesKey('dynamodb', tableKeyActions);
    this.setVariable(environmentVariable, tableName);
  }
}

/** Where spans and metrics are sent, as OpenTelemetry names them. CloudWatch has one host for spans and one for metrics. Source: CloudWatch-OTLPEndpoint.html. */
function endpointVariables(otlpEndpoint: string): Readonly<Record<string, string>> {
  if (otlpEndpoint !== cloudWatch) return { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint };
  const place = `${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `https://xray.${place}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `https://monitoring.${place}/v1/metrics`,
  };
}
