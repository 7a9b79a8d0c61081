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

/** The engine inside, which stores values as JSON below keys that start with the name of a table. */
declare module 'dynalite/db/index.js' {
  const engine: {
    create(options?: object): engine.Store;
    /** Below which an item of a table with these keys is stored. */
    createKey(item: engine.Item, table: object): string;
  };

  namespace engine {
    type Done = (error?: Error | null) => void;
    /** In the API's format. */
    type Item = Readonly<Record<string, object>>;

    /** What the engine knows of the tables. It reads it for each call. */
    interface TableDatabase {
      get(name: string, found: (error: Error | null, table?: object) => void): void;
      put(name: string, table: object, done: Done): void;
      del(name: string, done: Done): void;
    }

    interface ItemDatabase {
      get(key: string, found: (error: Error | null, item?: Item) => void): void;
      put(key: string, item: Item, done: Done): void;
      del(key: string, done: Done): void;
    }

    type Operation =
      | { readonly type: 'put'; readonly key: string; readonly value: unknown }
      | { readonly type: 'del'; readonly key: string };

    interface Store {
      readonly db: {
        batch(operations: readonly Operation[]): Promise<void>;
        iterator(range: {
          readonly gt: string;
          readonly lt: string;
          readonly limit: number;
        }): AsyncIterable<[key: string, value: unknown]>;
      };
      readonly tableDb: TableDatabase;
      /** The same object each time. Its calls that write an item run one after the other for each key. */
      getItemDb(table: string): ItemDatabase;
    }
  }

  export = engine;
}
