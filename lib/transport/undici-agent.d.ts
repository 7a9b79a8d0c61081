/**
 * Types for the one part of undici that is imported by its path: its entry point also loads fetch, caches and mocks,
 * which cost a cold start 270 KB and about 17 ms, and none of which is used.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export = Agent;
}
