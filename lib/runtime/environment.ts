/** The environment variables of a function, validated once. The entry of a process gives them; nothing below reads that of the process. */
import * as z from 'zod/mini';
import { maxFileSeconds } from '../core/files.ts';
import { daySeconds } from '../core/time.ts';

/** The environment of a process, or of one of several gateways in a process. Its identity counts: parts are created once for each. */
export type Variables = Readonly<Record<string, string | undefined>>;

// Each schema is made once for all variables that have it.
const atLeastOne = z.optional(z.coerce.number().check(z.int(), z.gte(1)));
const text = z.string().check(z.minLength(1));
const optionalText = z.optional(text);
const anyText = z.optional(z.string());
const url = z.optional(z.url());

const schema = z.object({
  AWS_REGION: text,
  /** The region in which Bedrock is called; absent: this one. */
  GATEWAY_BEDROCK_REGION: optionalText,
  /** How far requests to Bedrock may go, as `core/geography.ts` has it. */
  GATEWAY_BEDROCK_GEOGRAPHY: optionalText,
  /** Set on a laptop, where the tables are not in AWS; with the access key of the database before the host. */
  DYNAMODB_ENDPOINT: url,
  CATALOG_TABLE: optionalText,
  ACCESS_TABLE: optionalText,
  STATE_TABLE: optionalText,
  USAGE_TABLE: optionalText,
  FILES_TABLE: optionalText,
  /** The path of the providers' keys in the parameter store, for deployed functions. */
  PROVIDER_PARAMETERS_PREFIX: optionalText,
  /** The ARN of the key that encrypts them, if it is the operator's own. */
  PROVIDER_PARAMETERS_KEY: optionalText,
  /** The file with the secret of the installation, where it is in no parameter store: made on first use. */
  GATEWAY_SECRET_FILE: optionalText,
  /** The file in which a local gateway finds its variables at its start. */
  GATEWAY_ENVIRONMENT_FILE: optionalText,
  GATEWAY_CONNECT_TIMEOUT_MS: atLeastOne,
  /** How long a request waits for the table of cached answers; 50 ms by default. */
  GATEWAY_CACHED_ANSWER_TIMEOUT_MS: atLeastOne,
  GATEWAY_FIRST_BYTE_TIMEOUT_MS: atLeastOne,
  GATEWAY_SILENCE_TIMEOUT_MS: atLeastOne,
  /** How long a provider is read on after the caller has left; 0: not at all. */
  GATEWAY_READ_ON_MS: z.optional(z.coerce.number().check(z.int(), z.gte(0))),
  /** How many days the ledger stores records. */
  GATEWAY_LEDGER_DAYS: atLeastOne,
  /** The one region that serves tenants with credit, of several that share their keys. */
  GATEWAY_CREDIT_REGION: optionalText,
  /** `on`: the aggregator keeps the sums that the dashboard shows. */
  GATEWAY_DASHBOARD_SUMS: optionalText,
  /** Where all alerts are posted, and the secret that signs them. */
  GATEWAY_ALERT_WEBHOOK_URL: url,
  GATEWAY_ALERT_WEBHOOK_SECRET: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/))),
  /** The longest that content may be cached at a provider that charges for it by time. */
  GATEWAY_CACHE_SECONDS: atLeastOne,
  /** The period without events after which a stream sends a comment. */
  GATEWAY_HEARTBEAT_MS: atLeastOne,
  /** The function that creates responses in the background; absent: this process does. */
  GATEWAY_BACKGROUND_FUNCTION: optionalText,
  /** The function that works on batches; absent: this process does. */
  GATEWAY_BATCHES_FUNCTION: optionalText,
  /** The first pause between two looks at a job of a batch. */
  GATEWAY_BATCH_POLL_MS: atLeastOne,
  /** The group of the schedules for later attempts of webhooks, and the role that they have; absent: timers of this process. */
  GATEWAY_SCHEDULE_GROUP: optionalText,
  GATEWAY_SCHEDULE_ROLE: optionalText,
  /** Where the bytes of files are: a directory, or a bucket; without both, there are none. */
  GATEWAY_FILES_DIRECTORY: optionalText,
  GATEWAY_FILES_BUCKET: optionalText,
  /** For how many days a file is kept, and no longer. */
  GATEWAY_FILES_DAYS: z.optional(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(maxFileSeconds / daySeconds)),
  ),
  /** Of a batch that is created without a mode: whether lines without a batch API of their provider are single requests (`any`). */
  GATEWAY_BATCH_MODE: z.optional(z.enum(['native', 'any'])),
  /** The bucket of daily exports of the ledger, and their format. */
  GATEWAY_EXPORT_BUCKET: optionalText,
  GATEWAY_EXPORT_FORMAT: optionalText,
  /** Where spans and metrics of requests go, as OpenTelemetry names it: for both, or for one of them. */
  OTEL_EXPORTER_OTLP_ENDPOINT: anyText,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: anyText,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: anyText,
  /** The parameter with the headers of these endpoints that are secret. */
  GATEWAY_OTLP_HEADERS_PARAMETER: optionalText,
  /** The providers whose calls name the trace of their request, separated by commas; or `all`. */
  GATEWAY_TRACE_PROVIDERS: anyText,
  /** The namespace of the metrics in the log lines of requests, and the models that are counted by name in them. */
  GATEWAY_METRICS: optionalText,
  GATEWAY_METRIC_MODELS: anyText,
  /** The addresses that count as this machine for one-time addresses of the dashboard, beside its own. */
  GATEWAY_DASHBOARD_FROM: anyText,
  /** The base URL of the gateway for clients, with `/v1`, as the dashboard shows it, and as batches name their results. */
  GATEWAY_BASE_URL: url,
  /** Where the dashboard's page sends the requests of its playground. */
  GATEWAY_PLAYGROUND_URL: url,
  /** The public address of the dashboard, and the issuer of OpenID Connect at which people sign in to it. */
  GATEWAY_DASHBOARD_URL: optionalText,
  GATEWAY_ADMIN_ISSUER: optionalText,
  GATEWAY_ADMIN_CLIENT_ID: optionalText,
  GATEWAY_ADMIN_CLIENT_SECRET: optionalText,
  GATEWAY_ADMIN_SCOPES: optionalText,
  GATEWAY_ADMIN_ROLE_CLAIM: optionalText,
  GATEWAY_ADMIN_TENANT_CLAIM: optionalText,
  GATEWAY_ADMIN_SIGN_OUT_URL: optionalText,
  /** The Cognito user pool whose members the gateway manages. */
  GATEWAY_ADMIN_USER_POOL: optionalText,
  /** The web pages that may call the gateway, separated by commas. */
  GATEWAY_CORS_ORIGINS: anyText,
});

export type Environment = z.infer<typeof schema>;

/** Throws an error that names the invalid variables, never their values. */
export function readEnvironment(variables: Variables): Environment {
  const result = z.safeParse(schema, variables);
  if (result.success) return result.data;
  const names = [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
  throw new Error(`Missing or invalid environment variables: ${names.join(', ')}.`);
}

/** The region that serves tenants with credit, if it is another one than this. */
export function creditElsewhere({
  GATEWAY_CREDIT_REGION: region,
  AWS_REGION: own,
}: Partial<Pick<Environment, 'GATEWAY_CREDIT_REGION' | 'AWS_REGION'>>): string | undefined {
  return region === own ? undefined : region;
}
