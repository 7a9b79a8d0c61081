/** What a command of the CLI is, and what it receives. Commands have no access to the process. */

import type { AwsAccess } from '../infra/aws/clients.ts';
import type { AuditLog } from '../lib/core/accounting/audit.ts';
import type { Journal } from '../lib/core/accounting/journal.ts';
import type { LimitStore } from '../lib/core/accounting/limits.ts';
import type { BackgroundStore } from '../lib/core/background.ts';
import type { BatchStore } from '../lib/core/batches.ts';
import type { FileStore } from '../lib/core/files.ts';
import type { AwsCall } from '../lib/core/ports/aws.ts';
import type { Members } from '../lib/core/ports/members.ts';
import type { ProviderSettings } from '../lib/core/ports/provider-settings.ts';
import type { SumsStore } from '../lib/core/ports/sums-store.ts';
import type { AggregateStore, UsageStore } from '../lib/core/ports/usage-store.ts';
import type { TableName } from '../lib/core/tables.ts';
import type { DeliveryStore } from '../lib/core/webhooks/delivery.ts';
import type { Sealer } from '../lib/runtime/own-keys/seal.ts';
import type { CredentialStore } from '../lib/stores/access/credentials.ts';
import type { PolicyStore } from '../lib/stores/access/guardrails.ts';
import type { KeyEdits } from '../lib/stores/access/key-edits.ts';
import type { KeyStore } from '../lib/stores/access/keys.ts';
import type { ManagementKeyStore } from '../lib/stores/access/management-keys.ts';
import type { TenantEdits } from '../lib/stores/access/tenant-edits.ts';
import type { TenantStore } from '../lib/stores/access/tenants.ts';
import type { CatalogStore } from '../lib/stores/catalog/catalog.ts';
import type { HostStore } from '../lib/stores/catalog/hosts.ts';
import type { ProviderDataStore } from '../lib/stores/catalog/provider-data.ts';
import type { SessionStore } from '../lib/stores/sessions/sessions.ts';
import type { CallRemote } from './url/send-admin.ts';

/** The data of one gateway, deployed or local. */
export interface Installation {
  readonly keys: KeyStore;
  readonly keyEdits: KeyEdits;
  readonly managementKeys: ManagementKeyStore;
  readonly tenants: TenantStore;
  readonly tenantEdits: TenantEdits;
  readonly credentials: CredentialStore;
  /** Of guardrails. */
  readonly policies: PolicyStore;
  readonly catalog: CatalogStore;
  readonly hosts: HostStore;
  readonly providerData: ProviderDataStore;
  readonly usage: UsageStore;
  /** Requests that have not ended. */
  readonly running: Pick<
    AggregateStore,
    'late' | 'opened' | 'newestOpen' | 'openedInBackground' | 'openTenants' | 'unfinished'
  >;
  /** Of responses that are created in the background. Throws Error where the gateway is an older version. */
  readonly runs: () => BackgroundStore;
  /** Throws Error where the gateway is an older version. */
  readonly batches: () => BatchStore;
  /** Their rows alone. */
  readonly files: () => Pick<FileStore, 'list'>;
  readonly limits: Pick<LimitStore, 'read' | 'readMany' | 'seed' | 'freeLeaked'>;
  /** Of the dashboard. */
  readonly sums: SumsStore;
  readonly journal: Journal;
  readonly audit: AuditLog;
  /** Events for the webhooks of tenants. */
  readonly deliveries: () => DeliveryStore;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly settings: ProviderSettings;
  /** Seals the keys of tenants for providers. Absent for a gateway that is reached by its address. */
  readonly sealer?: Sealer;
  /** Present for a gateway that is reached by its address: it has nothing but the operations of the dashboard's API. */
  readonly remote?: CallRemote;
  /** Rejects with Error where the gateway manages no members. */
  readonly members: () => Promise<Members>;
  /** Absent for a gateway with a stack, whose dashboard has a sign-in of its own. */
  readonly dashboard?: LocalDashboard;
  /** Absent for the gateway on this machine. */
  readonly database?: InstalledDatabase;
  close(): Promise<void>;
}

interface LocalDashboard {
  readonly sessions: SessionStore;
  /** Where it is, without a slash at the end; undefined before the first start. */
  readonly url: () => Promise<string | undefined>;
}

export interface InstalledDatabase {
  readonly call: AwsCall;
  readonly nameOf: (purpose: TableName) => string;
  readonly isAws: boolean;
  /** The stack that makes the tables; without one, the environment names them, and `setup` makes them. */
  readonly stack?: string;
}

export interface Output {
  /** Writes a line of the result to standard output. */
  write(line: string): void;
  /** Writes a line about the command to standard error. */
  writeError(line: string): void;
  /** The width of the terminal, in columns. Without it, help is wrapped at 80. */
  readonly columns?: number | undefined;
}

export interface Terminal extends Output {
  /** Reads standard input: one line from a person, everything from a program or a file. */
  readValue(): Promise<string>;
}

/** In which a listing is written. */
export const formats = ['table', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

export interface CommandContext {
  /** The command's arguments, in order. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<string>;
  readonly terminal: Terminal;
  /** As --json or --format says, for commands that have them. */
  readonly format: Format;
  readonly open: () => Promise<Installation>;
  /** The account of AWS that the options and the environment choose, for commands that need no installation. */
  readonly aws: () => Promise<AwsAccess>;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface CommandOption {
  /** The placeholder for the value in the help. Without it, the option is a flag. */
  readonly value?: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface Command {
  /** As typed: `keys create`. */
  readonly name: string;
  /** One short sentence for the list of commands. */
  readonly summary: string;
  /** Further sentences for the help of this command. */
  readonly description?: string;
  /** Names of the required arguments, if it has any. */
  readonly arguments?: readonly string[];
  /** The name of further arguments, if the command takes any number of them. */
  readonly furtherArguments?: string;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Command lines without the name of the CLI: `keys create --tenant acme`. */
  readonly examples: readonly string[];
  /** Rejects with UsageError for an invalid command line, and with any other error if the command fails. */
  run(context: CommandContext): Promise<void>;
}

/** The command line is invalid. The message says why. */
export class UsageError extends Error {}

/** Throws UsageError for another word. `what`: what was given, such as `--format`. */
export function oneOf<Word extends string>(what: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${words.join(', ')}, not ${text}.`);
}

/** Opens an installation, and closes it even if `use` fails. */
export async function withInstallation<Result>(
  { open }: Pick<CommandContext, 'open'>,
  use: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const installation = await open();
  try {
    return await use(installation);
  } finally {
    await installation.close();
  }
}

/** How many days the gateway keeps its ledger; undefined for the default. */
export function readDays(text: string | undefined): number | undefined {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 ? days : undefined;
}
