/** The outputs of the stack: what the CLI and clients need. */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { type TableName, tableNames } from '../lib/core/tables.ts';
import type { UsedTable } from './constructs/table/used-table.ts';
import { pascalCase } from './names.ts';
import { writeSettings } from './settings/given.ts';
import type { Settings } from './settings/settings.ts';

interface OutputProps extends Pick<Settings, 'kmsKeyArn' | 'ledgerDays' | 'given'> {
  readonly entry: { readonly baseUrl: string; readonly anthropicBaseUrl: string };
  readonly tables: Readonly<Record<TableName, UsedTable>>;
  readonly providerParametersPrefix: string;
}

/** Also read by the stack of the dashboard. */
export const baseUrlOutput = 'OpenAiBaseUrl';

export function addOutputs(stack: Stack, props: OutputProps): void {
  const output = (name: string, value: string, description: string) =>
    new CfnOutput(stack, name, { value, description });
  output(baseUrlOutput, props.entry.baseUrl, 'The base URL for an OpenAI SDK');
  output(
    'AnthropicBaseUrl',
    props.entry.anthropicBaseUrl,
    'The base URL for Claude Code and an Anthropic SDK',
  );
  for (const name of tableNames)
    output(`${pascalCase(name)}Table`, props.tables[name].tableName, `The table "${name}"`);
  output(
    'ProviderParametersPrefix',
    props.providerParametersPrefix,
    'The path of the provider API keys in the parameter store',
  );
  const { kmsKeyArn } = props;
  if (kmsKeyArn) output('KmsKey', kmsKeyArn, 'The key that provider API keys are encrypted with');
  output('LedgerDays', String(props.ledgerDays), 'How many days the record of each request is kept');
  output('Region', stack.region, 'The region of this gateway');
  output('Settings', writeSettings(props.given), 'The settings that this gateway was deployed with');
}
