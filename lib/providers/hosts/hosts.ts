/**
 * The host table: every OpenAI-compatible host that the gateway knows, one row each, by the name of its provider. The
 * registry, the sandbox and the contract tests derive from it.
 */
import type { Host } from './host.ts';
import { inference } from './inference.ts';
import { labs } from './labs.ts';
import { thinkingLabs } from './thinking-labs.ts';

export type HostName = keyof typeof labs | keyof typeof thinkingLabs | keyof typeof inference;

export const hosts: Readonly<Record<HostName, Host>> = { ...labs, ...thinkingLabs, ...inference };

export const hostNames = Object.keys(hosts) as readonly HostName[];
