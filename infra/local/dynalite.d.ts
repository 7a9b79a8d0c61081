/** The part of the embedded DynamoDB that the local gateway uses. The package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface DynaliteOptions {
    /** Directory of the database; in memory without it. */
    readonly path?: string;
    /** How long a new table stays in its CREATING state. */
    readonly createTableMs?: number;
    /** How long a deleted one stays in its DELETING state. */
    readonly deleteTableMs?: number;
  }

  function dynalite(options?: DynaliteOptions): Server;

  export = dynalite;
}
