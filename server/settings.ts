/** The settings of the server, from environment variables. All others are those of the functions. */
import { availableParallelism } from 'node:os';
import { readCorsOrigins } from '../lib/core/cors.ts';
import { tables } from '../lib/core/tables.ts';
import { loopback, readAllowedHosts } from './addresses.ts';
import { keepAliveMs } from './http/limits.ts';
import { type DrainSettings, defaultNoticeMs } from './process/drain.ts';
import { defaultBudgetBytes, minBudgetBytes } from './process/memory-budget.ts';

export interface ServerSettings extends DrainSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address or name to listen on. */
  readonly host: string;
  /** Processes that serve requests. */
  readonly workers: number;
  /** How long a connection stays open between two requests. */
  readonly keepAliveMs: number;
  /** The budget of a worker; by default what the memory of the process leaves to requests. */
  readonly memoryBytes: number;
  /** Where the metrics are; absent: nowhere. */
  readonly metricsPort: number | undefined;
  /** The only names that requests may call the server by, beside its addresses; absent: every name. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly corsOrigins: readonly string[];
  /** How many proxies in a row stand before the server, whose header `X-Forwarded-For` is believed. */
  readonly trustedProxies: number;
  /** Where requests are noted until the ledger has them; absent: a directory of the machine's temporary files. */
  readonly journalDirectory: string | undefined;
  /** Whether the dashboard and its operations are served. */
  readonly dashboard: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

export const maxWorkers = 64;
export const maxDrainSeconds = 900;
export const maxKeepAliveSeconds = 3_600;
export const maxTrustedProxies = 8;

const maxPort = 65_535;
const megabyte = 1024 * 1024;
const minMemoryMb = Math.ceil(minBudgetBytes / megabyte);
/** More than any machine has: 16 TB. */
const maxMemoryMb = 16 * megabyte;

/** @throws Error that names the variable. */
export function readSettings(variables: Variables): ServerSettings {
  const workers = readWorkers(variables);
  const memoryMb = readNumber(variables, 'GATEWAY_MEMORY_MB', { least: minMemoryMb, most: maxMemoryMb });
  const names = readAllowedHosts(variables.GATEWAY_ALLOWED_HOSTS);
  return {
    port: readNumber(variables, 'PORT', { least: 0, most: maxPort }) ?? 8_080,
    host: variables.HOST || loopback,
    workers,
    ...readDrain(variables),
    keepAliveMs:
      (readNumber(variables, 'GATEWAY_KEEP_ALIVE_SECONDS', { least: 1, most: maxKeepAliveSeconds }) ??
        keepAliveMs / 1_000) * 1_000,
    memoryBytes: memoryMb === undefined ? defaultBudgetBytes(workers) : memoryMb * megabyte,
    metricsPort: readNumber(variables, 'GATEWAY_METRICS_PORT', { least: 1, most: maxPort }),
    allowedHosts: names.length === 0 ? undefined : names,
    corsOrigins: readCorsOrigins('GATEWAY_CORS_ORIGINS', variables.GATEWAY_CORS_ORIGINS),
    trustedProxies:
      readNumber(variables, 'GATEWAY_TRUSTED_PROXIES', { least: 0, most: maxTrustedProxies }) ?? 0,
    journalDirectory: variables.GATEWAY_JOURNAL_DIRECTORY || undefined,
    dashboard: readSwitch(variables, 'GATEWAY_DASHBOARD'),
  };
}

/**
 * The functions check the other variables when they are loaded, and each has its own tables only; a server needs all.
 * @throws Error that names the missing variables.
 */
export function checkTables(variables: Variables): void {
  const names = Object.values(tables).map(({ environmentVariable }) => environmentVariable);
  const missing = names.filter((name) => !variables[name]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}.`);
}

function readWorkers(variables: Variables): number {
  if (variables.GATEWAY_WORKERS === 'auto') return Math.min(availableParallelism(), maxWorkers);
  return readNumber(variables, 'GATEWAY_WORKERS', { least: 1, most: maxWorkers }, ', or auto') ?? 1;
}

function readDrain(variables: Variables): DrainSettings {
  const seconds = readNumber(variables, 'GATEWAY_DRAIN_SECONDS', { least: 0, most: maxDrainSeconds }) ?? 30;
  const notice = readNumber(variables, 'GATEWAY_NOTICE_SECONDS', { least: 0, most: seconds });
  const drainMs = seconds * 1_000;
  return { drainMs, noticeMs: notice === undefined ? defaultNoticeMs(drainMs) : notice * 1_000 };
}

/** `on` or `off`; off if the variable is not set, or empty. */
function readSwitch(variables: Variables, name: string): boolean {
  const text = variables[name] || 'off';
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be on or off.`);
  return text === 'on';
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Undefined if the variable is not set, or empty. */
function readNumber(
  variables: Variables,
  name: string,
  { least, most }: Range,
  orElse = '',
): number | undefined {
  const text = variables[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}${orElse}.`);
}
