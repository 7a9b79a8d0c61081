/** The embedded database engine, and the stream of changes that the gateway adds to it. */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import engine, { type Done, type Store, type TableDatabase } from 'dynalite/db/index.js';
import { type Changes, keepChanges } from './changes.ts';

interface Engine {
  readonly server: Server;
  readonly changes: Changes;
}

/** Opens the files in `path`; in memory without it. */
export function openEngine(path?: string): Engine {
  const { create } = engine;
  let store: Store | undefined;
  // The engine keeps its store to itself.
  engine.create = (options) => {
    store = create(options);
    return store;
  };
  try {
    const server = dynalite({ createTableMs: 0, deleteTableMs: 0, ...(path !== undefined && { path }) });
    if (!store) throw new Error('The database engine has another form.');
    rememberTables(store.tableDb);
    return { server, changes: keepChanges(store) };
  } finally {
    engine.create = create;
  }
}

/** Reads what a table is from the files once, and not for each call. */
function rememberTables(tables: TableDatabase): void {
  const { get, put, del } = tables;
  const known = new Map<string, object>();
  let writes = 0;
  const afterWrite = (name: string, done: Done): Done => {
    const forget = () => {
      writes += 1;
      known.delete(name);
    };
    forget();
    return (error) => {
      forget();
      done(error);
    };
  };
  tables.get = (name, found) => {
    const table = known.get(name);
    if (table) return found(null, structuredClone(table));
    const writesBefore = writes;
    get(name, (error, read) => {
      if (read && writes === writesBefore) known.set(name, structuredClone(read));
      found(error, read);
    });
  };
  tables.put = (name, table, done) => put(name, table, afterWrite(name, done));
  tables.del = (name, done) => del(name, afterWrite(name, done));
}
