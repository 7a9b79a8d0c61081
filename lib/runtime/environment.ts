/** The environment a function runs in, checked once. Read by this room alone. */
import * as z from 'zod/mini';

const milliseconds = z.optional(z.coerce.number().check(z.int(), z.gte(1)));
const text = z.string().check(z.minLength(1));

const schema = z.object({
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: z.optional(text),
  AWS_SECRET_ACCESS_KEY: z.optional(text),
  AWS_SESSION_TOKEN: z.optional(text),
  /** Set locally, where the tables are not in AWS. */
  DYNAMODB_ENDPOINT: z.optional(z.url()),
  CATALOG_TABLE: z.optional(text),
  ACCESS_TABLE: z.optional(text),
  STATE_TABLE: z.optional(text),
  USAGE_TABLE: z.optional(text),
  /** Where the deployed functions find the providers' keys in the parameter store. */
  PROVIDER_PARAMETERS_PREFIX: z.optional(text),
  GATEWAY_CONNECT_TIMEOUT_MS: milliseconds,
  GATEWAY_FIRST_BYTE_TIMEOUT_MS: milliseconds,
  GATEWAY_SILENCE_TIMEOUT_MS: milliseconds,
  /** How many days the ledger keeps its records. */
  GATEWAY_LEDGER_DAYS: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
  /** How long a stream may be silent before the caller is sent a comment. */
  GATEWAY_HEARTBEAT_MS: milliseconds,
});

export type Environment = z.infer<typeof schema>;

/** Throws an error that names the variables at fault, never their values. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const result = z.safeParse(schema, variables);
  if (result.success) return result.data;
  const names = [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
  throw new Error(`These environment variables are missing or not valid: ${names.join(', ')}.`);
}
