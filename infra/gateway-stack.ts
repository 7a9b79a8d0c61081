/**
 * The whole gateway as one stack. It only composes: what it serves comes from the route table, what it stores from the
 * list of tables, and how each part is made from the constructs.
 */
import { join } from 'node:path';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Operation, operations } from '../lib/core/operations.ts';
import { type TableName, tables } from '../lib/core/tables.ts';
import { CatalogSeed } from './constructs/catalog-seed.ts';
import { GatewayApi } from './constructs/gateway-api.ts';
import { GatewayFunction } from './constructs/gateway-function.ts';
import { GatewayTable } from './constructs/gateway-table.ts';
import { UsageMetrics } from './constructs/usage-metrics.ts';
import type { Settings } from './settings.ts';

export interface GatewayStackProps extends Omit<Settings, 'stackName'> {
  /** Where the bundles are: a directory for each operation, and `seed`. */
  readonly bundles: string;
}

/** `chat-completions` as `ChatCompletions`, the way construct and output names are written. */
const pascalCase = (name: string) =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export class GatewayStack extends Stack {
  private readonly props: GatewayStackProps;
  private readonly tables: Readonly<Record<TableName, GatewayTable>>;
  private readonly providerParametersPrefix: string;

  constructor(scope: Construct, id: string, props: GatewayStackProps) {
    super(scope, id, { description: 'Model gateway: one OpenAI-shaped interface over many model providers' });
    this.props = props;
    this.providerParametersPrefix = `/${this.stackName}/providers`;
    this.tables = {
      catalog: this.table('catalog'),
      access: this.table('access'),
      state: this.table('state'),
      usage: this.table('usage'),
    };
    const api = new GatewayApi(this, 'Gateway', { throttle: props.throttle });
    for (const operation of operations) api.serve(operation, this.function(operation));
    new CatalogSeed(this, 'CatalogSeed', {
      bundle: join(props.bundles, 'seed'),
      catalog: this.tables.catalog,
      logLevel: props.logLevel,
    });
    this.tell(api);
  }

  private table(name: TableName): GatewayTable {
    return new GatewayTable(this, pascalCase(name), { name, retain: this.props.retain });
  }

  private function(operation: Operation): GatewayFunction {
    const made = new GatewayFunction(this, pascalCase(operation.name), {
      description: `${operation.method} ${operation.path}`,
      bundle: join(this.props.bundles, operation.name),
      timeout: Duration.seconds(operation.timeoutSeconds),
      memory: this.props.memory,
      logLevel: this.props.logLevel,
    });
    for (const name of operation.reads) made.reads(this.tables[name]);
    for (const name of operation.writes ?? []) made.writes(this.tables[name]);
    for (const name of operation.updates ?? []) made.updates(this.tables[name]);
    for (const name of operation.queries ?? []) made.queries(this.tables[name]);
    for (const name of operation.deletes ?? []) made.deletes(this.tables[name]);
    // Whoever looks up a model to serve it calls its provider; the rest hold no key and reach no model.
    if (operation.endpoint !== undefined && operation.reads.includes('catalog')) {
      made.readsProviderKeys(this.providerParametersPrefix);
      made.invokesModels();
      made.notesKeyUse(this.tables.access);
    }
    // Whoever reads it says how far back it goes.
    if (operation.queries?.includes('usage')) made.keepsLedger(this.props.ledgerDays);
    if (operation.writes?.includes('usage')) {
      made.keepsLedger(this.props.ledgerDays);
      new UsageMetrics(made, 'Usage', { logs: made.logs, namespace: this.stackName });
    }
    return made;
  }

  /** What the operator's command and a client need to know. */
  private tell(api: GatewayApi): void {
    const output = (name: string, value: string, description: string) =>
      new CfnOutput(this, name, { value, description });
    output('OpenAiBaseUrl', api.baseUrl, 'The base URL for an OpenAI SDK');
    for (const name of Object.keys(tables) as TableName[])
      output(`${pascalCase(name)}Table`, this.tables[name].table.tableName, `The table "${name}"`);
    output(
      'ProviderParametersPrefix',
      this.providerParametersPrefix,
      "Where the providers' API keys are kept",
    );
    output('LedgerDays', String(this.props.ledgerDays), 'For how many days each request has a record');
    output('Region', this.region, 'The region of this gateway');
  }
}
