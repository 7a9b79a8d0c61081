/**
 * Types for the parts of undici that are imported by their path: its entry point also loads fetch, caches and mocks,
 * which cost a cold start 270 KB and about 17 ms, and none of which is used.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export = Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export = buildConnector;
}
