/** What a command of the operator's tool is, and what it is given. The commands themselves know no process. */

import type { LimitStore } from '../../lib/core/accounting/limits.ts';
import type { UsageStore } from '../../lib/core/ports.ts';
import type { KeyStore } from '../../lib/stores/access/keys.ts';
import type { TenantStore } from '../../lib/stores/access/tenants.ts';
import type { CatalogStore } from '../../lib/stores/catalog/catalog.ts';
import type { ProviderSettings } from './providers/provider-settings.ts';

/** The data of one gateway, deployed or local. */
export interface Installation {
  readonly keys: KeyStore;
  readonly tenants: TenantStore;
  readonly catalog: CatalogStore;
  readonly usage: UsageStore;
  readonly limits: Pick<LimitStore, 'read'>;
  readonly settings: ProviderSettings;
  close(): Promise<void>;
}

export interface Terminal {
  /** Writes a line of the result, to standard output. */
  write(line: string): void;
  /** Writes a line about the command, to standard error. */
  tell(line: string): void;
  /** Reads standard input: one line where a person types it, all of it where a program or a file gives it. */
  readValue(): Promise<string>;
}

export interface CommandContext {
  /** What was given for each of the command's arguments, in their order. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<string>;
  readonly terminal: Terminal;
  readonly open: () => Promise<Installation>;
}

export interface CommandOption {
  /** What stands for the value in the help; absent: a flag, which takes none. */
  readonly value?: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface Command {
  /** As typed: `keys create`. */
  readonly name: string;
  readonly summary: string;
  /** Names of the arguments it takes after its own name, all required. */
  readonly arguments: readonly string[];
  /** What each further argument is, where it takes any number of them. */
  readonly furtherArguments?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Rejects with UsageError for a wrong value, and with any other error where it failed. */
  run(context: CommandContext): Promise<void>;
}

/** The command was typed wrongly. The message says how. */
export class UsageError extends Error {}

/** Runs with an installation that is closed in any case. */
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

/** How long the gateway keeps its ledger, in days, as it is set; undefined: as long as is usual. */
export function readDays(text: string | undefined): number | undefined {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 ? days : undefined;
}
