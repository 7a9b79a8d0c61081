/** The variables that the functions read, in AWS and in the server. The stacks set them by themselves. */
import { maxReadOnMs } from '../../../lib/core/read-on.ts';
import { tables } from '../../../lib/core/tables.ts';
import { defaultCacheSeconds } from '../../../lib/runtime/generation-runtime.ts';
import { defaultLedgerDays } from '../../../lib/stores/usage/usage.ts';
import { maxLocalAddresses } from '../../../lib/transport/local-addresses.ts';
import type { SettingGroup, SettingRow } from './row.ts';

const required = 'required';

const tableRow = (name: keyof typeof tables, holds: string): SettingRow => ({
  name: tables[name].environmentVariable,
  meaning: `The table of ${holds}`,
  absent: required,
});

export const awsSettings: SettingGroup = {
  title: 'Tables and AWS',
  introduction:
    'Credentials are found as the SDKs of AWS find them: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`); or the endpoint of a container (`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `_FULL_URI`, as ECS and Kubernetes set it); or the role of an EC2 instance, from its metadata service in version 2 (`AWS_EC2_METADATA_DISABLED=true` turns that off; a container on the instance needs a hop limit of two). They are read again before they end.',
  rows: [
    { name: 'AWS_REGION', meaning: 'The region of the tables and of calls to AWS', absent: required },
    {
      name: 'GATEWAY_BEDROCK_REGION',
      meaning: 'The region in which Bedrock is called',
      absent: '`AWS_REGION`',
    },
    {
      name: 'GATEWAY_BEDROCK_GEOGRAPHY',
      meaning:
        'How far requests to Bedrock may go: `any` (the narrowest route that there is), `global` (the widest, which is the cheapest), `region`, `geography`, or names such as `eu,uk`',
      absent: '`any`',
    },
    tableRow('catalog', 'models'),
    tableRow('access', 'tenants and keys'),
    tableRow('state', 'stored responses and what processes share'),
    tableRow('usage', 'the ledger and the limits'),
    {
      name: 'DYNAMODB_ENDPOINT',
      meaning: 'Another address of the tables, for a local database',
      absent: 'DynamoDB of the region',
    },
    {
      name: 'AWS_ENDPOINT_URL_<SERVICE>',
      meaning:
        'Another address of one service of AWS, such as a VPC endpoint; `<SERVICE>` is the id that the SDKs use: `BEDROCK_RUNTIME`, `DYNAMODB`, `DYNAMODB_STREAMS`, `EVENTBRIDGE`, `S3`, `SECRETS_MANAGER`, `SSM` or `STS`',
      absent: 'that of `AWS_ENDPOINT_URL`',
    },
    {
      name: 'AWS_ENDPOINT_URL',
      meaning: 'Another address of all services of AWS',
      absent: "the services' hosts in the partition of the region",
    },
    {
      name: 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
      meaning: '`true`: these addresses are not used',
      absent: '`false`',
    },
    {
      name: 'AWS_USE_FIPS_ENDPOINT',
      meaning: '`true`: services of AWS are called at their hosts for FIPS 140',
      absent: '`false`',
    },
    {
      name: 'AWS_USE_DUALSTACK_ENDPOINT',
      meaning: '`true`: services of AWS are called at their hosts for IPv4 and IPv6',
      absent: '`false`',
    },
    {
      name: 'PROVIDER_PARAMETERS_PREFIX',
      meaning: "The path of the providers' keys in the parameter store, beside `<PROVIDER>_API_KEY`",
      absent: 'keys are in the environment only',
    },
    {
      name: 'PROVIDER_PARAMETERS_KEY',
      meaning: 'The ARN of the key that encrypts what the dashboard stores there',
      absent: "the account's default one",
    },
    {
      name: 'GATEWAY_ENVIRONMENT_FILE',
      meaning:
        'The file of variables in which the dashboard stores keys of providers, where there is no parameter store. `npm start` sets it to `.env`',
      absent: 'the dashboard cannot store them',
    },
  ],
};

export const requestSettings: SettingGroup = {
  title: 'Requests',
  introduction:
    'Keys and addresses of providers are `<PROVIDER>_API_KEY` and `<PROVIDER>_UPSTREAM_URL`, as [on a laptop](../laptop.md); `LOG_LEVEL` is `DEBUG`, `INFO`, `WARN` or `ERROR`.',
  rows: [
    {
      name: 'GATEWAY_LEDGER_DAYS',
      meaning: 'How long the record of each request is kept',
      absent: `${defaultLedgerDays}`,
    },
    {
      name: 'GATEWAY_CREDIT_REGION',
      meaning:
        'The one region that serves tenants with credit, where several regions share the keys: see [regions.md](../operate/regions.md)',
      absent: 'this region',
    },
    {
      name: 'GATEWAY_DASHBOARD_SUMS',
      meaning:
        '`on`: the aggregator keeps the sums that the dashboard shows, by hour, user, tenant and deployment (`off` for none). A local gateway has it on',
      absent: '`off`',
    },
    {
      name: 'GATEWAY_CACHE_SECONDS',
      meaning: 'The longest that content is cached at a provider that charges for it by time',
      absent: `${defaultCacheSeconds}`,
    },
    {
      name: 'GATEWAY_METRICS',
      meaning:
        'The namespace of metrics in the log line of each request that may call a model, in the embedded format of CloudWatch',
      absent: 'log lines have no metrics',
    },
    {
      name: 'GATEWAY_METRIC_MODELS',
      meaning: 'The models that these metrics count by name, separated by commas',
      absent: 'models are not counted by name',
    },
    {
      name: 'GATEWAY_CONNECT_TIMEOUT_MS',
      meaning: 'Time to connect to a provider',
      absent: "the catalog's",
    },
    {
      name: 'GATEWAY_FIRST_BYTE_TIMEOUT_MS',
      meaning: 'Time to the first byte of its answer',
      absent: "the catalog's",
    },
    {
      name: 'GATEWAY_SILENCE_TIMEOUT_MS',
      meaning: 'Time without a byte in its answer',
      absent: "the catalog's",
    },
    {
      name: 'GATEWAY_READ_ON_MS',
      meaning: 'Time for which an answer is read on for its counts after the caller has left; 0: none',
      absent: `${maxReadOnMs}`,
    },
    {
      name: 'GATEWAY_HEARTBEAT_MS',
      meaning: 'Silence in a stream after which a comment is sent',
      absent: '10000',
    },
    {
      name: 'GATEWAY_EXPORT_BUCKET',
      meaning: 'Where the daily export of the ledger goes',
      absent: 'required by the export, unused elsewhere',
    },
    {
      name: 'GATEWAY_EXPORT_FORMAT',
      meaning: 'Its format: `focus`, `csv` or `jsonl`',
      absent: '`focus`',
    },
    {
      name: 'GATEWAY_DASHBOARD_FROM',
      meaning: `Addresses or ranges, up to ${maxLocalAddresses}, separated by commas, that may use one-time addresses of the dashboard beside this machine: in a container, the network through which its host calls`,
      absent: 'this machine alone',
    },
    {
      name: 'GATEWAY_BASE_URL',
      meaning: 'The base URL of the gateway for clients, with `/v1`, as the dashboard shows it',
      absent: 'that of the dashboard',
    },
    {
      name: 'GATEWAY_PLAYGROUND_URL',
      meaning: "Where the dashboard's page sends the requests of its playground",
      absent: 'the dashboard itself',
    },
  ],
};
