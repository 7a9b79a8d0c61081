/** The embedded database engine, and the stream of changes that the gateway adds to it. */
import type { Server } from 'node:http';
import dynalite from 'dynalite';
import engine, { type Store } from 'dynalite/db/index.js';
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
    return { server, changes: keepChanges(store) };
  } finally {
    engine.create = create;
  }
}
