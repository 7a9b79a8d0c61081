/** The variables that the functions read, in AWS and in the server. The stacks set them by themselves. */
import { maxReadOnMs } from '../../../lib/core/read-on.ts';
import { tables } from '../../../lib/core/tables.ts';
import { defaultCacheSeconds } from '../../../lib/runtime/generation-runtime.ts';
import { defaultLedgerDays } from '../../../lib/stores/usage/ledger-writes.ts';
import { maxLocalAddresses } from '../../../lib/transport/local-addresses.ts';
import type { SettingGroup, SettingRow } from './row.ts';

const required = 'required';

const tableRow = (name: keyof typeof tables, holds: string): SettingRow => [
  tables[name].environmentVariable,
  `The table of ${holds}`,
  required,
];

export const awsSettings: SettingGroup = {
  title: 'Tables and AWS',
  introduction:
    'Credentials are found as the SDKs of AWS find them: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`); or the endpoint of a container (`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `_FULL_URI`, as ECS and Kubernetes set it); or the role of an EC2 instance, from its metadata service in version 2 (`AWS_EC2_METADATA_DISABLED=true` turns that off; a container on the instance needs a hop limit of two). They are read again before they end.',
  rows: [
    ['AWS_REGION', 'The region of the tables and of calls to AWS', required],
    ['GATEWAY_BEDROCK_REGION', 'The region in which Bedrock is called', '`AWS_REGION`'],
    [
      'GATEWAY_BEDROCK_GEOGRAPHY',
      'How far requests to Bedrock may go: `any` (the narrowest route that there is), `global` (the widest, which is the cheapest), `region`, `geography`, or names such as `eu,uk`',
      '`any`',
    ],
    tableRow('catalog', 'models'),
    tableRow('access', 'tenants and keys'),
    tableRow('state', 'stored responses and what processes share'),
    tableRow('usage', 'the ledger and the limits'),
    tableRow('files', 'files and batches'),
    [
      'GATEWAY_SECRET_FILE',
      'The file with the secret of an installation outside of AWS, of which keys are derived that encrypt what it stores; it is made on first use, and all processes need the same. `npm start` has one beside its database',
      'what needs it is refused',
    ],
    [
      'GATEWAY_FILES_DIRECTORY',
      'The directory with the bytes of [files](../files.md). `npm start` has one beside its database',
      'files are refused, unless there is a bucket',
    ],
    ['GATEWAY_FILES_BUCKET', 'The bucket of S3 with the bytes of files, in place of a directory', 'none'],
    ['GATEWAY_FILES_DAYS', 'For how many days a file is kept, from 1 to 30', '30'],
    [
      'GATEWAY_BATCH_MODE',
      'What becomes of the lines of a batch whose provider has no batch API, unless its caller says so: `native` refuses them, `any` sends them as single requests',
      '`native`',
    ],
    ['DYNAMODB_ENDPOINT', 'Another address of the tables, for a local database', 'DynamoDB of the region'],
    [
      'AWS_ENDPOINT_URL_<SERVICE>',
      'Another address of one service of AWS, such as a VPC endpoint; `<SERVICE>` is the id that the SDKs use: `BEDROCK_RUNTIME`, `DYNAMODB`, `DYNAMODB_STREAMS`, `EVENTBRIDGE`, `S3`, `SECRETS_MANAGER`, `SSM` or `STS`',
      'that of `AWS_ENDPOINT_URL`',
    ],
    [
      'AWS_ENDPOINT_URL',
      'Another address of all services of AWS',
      "the services' hosts in the partition of the region",
    ],
    ['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', '`true`: these addresses are not used', '`false`'],
    ['AWS_USE_FIPS_ENDPOINT', '`true`: services of AWS are called at their hosts for FIPS 140', '`false`'],
    [
      'AWS_USE_DUALSTACK_ENDPOINT',
      '`true`: services of AWS are called at their hosts for IPv4 and IPv6',
      '`false`',
    ],
    [
      'PROVIDER_PARAMETERS_PREFIX',
      "The path of the providers' keys in the parameter store, beside `<PROVIDER>_API_KEY`",
      'keys are in the environment only',
    ],
    [
      'PROVIDER_PARAMETERS_KEY',
      'The ARN of the key that encrypts what the dashboard stores there',
      "the account's default one",
    ],
    [
      'GATEWAY_ENVIRONMENT_FILE',
      'The file of variables in which the dashboard stores keys of providers, where there is no parameter store. `npm start` sets it to `.env`',
      'the dashboard cannot store them',
    ],
  ],
};

export const requestSettings: SettingGroup = {
  title: 'Requests',
  introduction:
    'Keys and addresses of providers are `<PROVIDER>_API_KEY` and `<PROVIDER>_UPSTREAM_URL`, as [on a laptop](../laptop.md); `LOG_LEVEL` is `DEBUG`, `INFO`, `WARN` or `ERROR`.',
  rows: [
    ['GATEWAY_LEDGER_DAYS', 'How long the record of each request is kept', `${defaultLedgerDays}`],
    [
      'GATEWAY_CREDIT_REGION',
      'The one region that serves tenants with credit, where several regions share the keys: see [regions.md](../operate/regions.md)',
      'this region',
    ],
    [
      'GATEWAY_DASHBOARD_SUMS',
      '`on`: the aggregator keeps the sums that the dashboard shows, by hour, user, tenant and deployment (`off` for none). A local gateway has it on',
      '`off`',
    ],
    [
      'GATEWAY_ALERT_WEBHOOK_URL',
      'Where the aggregator posts [alerts](../operate/alerts.md) of all tenants and providers, on a server or a laptop',
      'nowhere',
    ],
    [
      'GATEWAY_ALERT_WEBHOOK_SECRET',
      'What signs them: `whsec_` and at least 24 random bytes as base64',
      'needed with the URL',
    ],
    [
      'GATEWAY_CACHE_SECONDS',
      'The longest that content is cached at a provider that charges for it by time',
      `${defaultCacheSeconds}`,
    ],
    [
      'GATEWAY_METRICS',
      'The namespace of metrics in the log line of each request that may call a model, in the embedded format of CloudWatch',
      'log lines have no metrics',
    ],
    [
      'GATEWAY_METRIC_MODELS',
      'The models that these metrics count by name, separated by commas',
      'models are not counted by name',
    ],
    ['GATEWAY_CACHED_ANSWER_TIMEOUT_MS', 'Time for which a request waits for a cached answer', '50'],
    ['GATEWAY_CONNECT_TIMEOUT_MS', 'Time to connect to a provider', "the catalog's"],
    ['GATEWAY_FIRST_BYTE_TIMEOUT_MS', 'Time to the first byte of its answer', "the catalog's"],
    ['GATEWAY_SILENCE_TIMEOUT_MS', 'Time without a byte in its answer', "the catalog's"],
    [
      'GATEWAY_READ_ON_MS',
      'Time for which an answer is read on for its counts after the caller has left; 0: none',
      `${maxReadOnMs}`,
    ],
    ['GATEWAY_HEARTBEAT_MS', 'Silence in a stream after which a comment is sent', '10000'],
    [
      'GATEWAY_BACKGROUND_FUNCTION',
      'The Lambda function that creates responses in the background, by its name or ARN with its alias. Functions have it; a server needs none',
      'the process itself creates them',
    ],
    [
      'GATEWAY_BATCHES_FUNCTION',
      'The Lambda function that works on batches, by its name or ARN with its alias. The function that creates them has it; a server needs none',
      'the process itself works on them',
    ],
    [
      'GATEWAY_BATCH_POLL_MS',
      'The first pause between two looks at a job of a batch at its provider. Later ones are up to fifteen times as long',
      '60000',
    ],
    [
      'GATEWAY_SCHEDULE_GROUP',
      'The group of EventBridge Scheduler for later attempts of webhooks, or for later work on batches. Functions that need it have it; a server needs none',
      'timers of the process',
    ],
    [
      'GATEWAY_SCHEDULE_ROLE',
      'The ARN of the role by which EventBridge Scheduler invokes the function for that',
      'timers of the process',
    ],
    [
      'GATEWAY_EXPORT_BUCKET',
      'Where the daily export of the ledger goes',
      'required by the export, unused elsewhere',
    ],
    ['GATEWAY_EXPORT_FORMAT', 'Its format: `focus`, `csv` or `jsonl`', '`focus`'],
    [
      'GATEWAY_DASHBOARD_FROM',
      `Addresses or ranges, up to ${maxLocalAddresses}, separated by commas, that may use one-time addresses of the dashboard beside this machine: in a container, the network through which its host calls`,
      'this machine alone',
    ],
    [
      'GATEWAY_BASE_URL',
      'The base URL of the gateway for clients, with `/v1`, as the dashboard shows it, and as message batches name the address of their results',
      'that of the dashboard',
    ],
    [
      'GATEWAY_PLAYGROUND_URL',
      "Where the dashboard's page sends the requests of its playground",
      'the dashboard itself',
    ],
  ],
};
