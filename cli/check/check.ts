/** What a check of an account or a deployed gateway is: a row with a title, the permissions that it needs, and its work. */
import type { AwsClients } from '../../infra/aws/clients.ts';
import type { StackFacts, StackResource } from '../../infra/aws/stacks.ts';
import type { Installation } from '../command.ts';

export const levels = ['ok', 'warning', 'failed'] as const;
export type Level = (typeof levels)[number];

/** One line of the result. */
export interface Finding {
  readonly level: Level;
  /** What was found; the title of the check goes before it. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy });
export const failed = (text: string, remedy: string): Finding => ({ level: 'failed', text, remedy });

/** A check that cannot be made, and why. It is a warning, with what to do. */
export class NotChecked extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** The traffic that is planned. */
export interface Planned {
  /** Requests per second. */
  readonly rps: number;
  /** Seconds from a request to the end of its answer. */
  readonly seconds: number;
}

export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/** A deployed gateway. What it reads, it reads once. */
export interface DeployedGateway {
  readonly name: string;
  /** Undefined if there is no such stack. */
  readonly facts: (stack?: string) => Promise<StackFacts | undefined>;
  readonly resources: () => Promise<readonly StackResource[]>;
  readonly installation: () => Promise<Installation>;
}

export interface CheckContext {
  readonly aws: AwsClients;
  readonly identity: Identity;
  readonly planned: Planned | undefined;
  /** A key of the gateway, with which providers are called; without it, none is. */
  readonly gatewayKey: string | undefined;
}

export interface StackContext extends CheckContext {
  readonly gateway: DeployedGateway;
}

interface CheckRow {
  /** As in the output with --json. */
  readonly id: string;
  readonly title: string;
  /** What it finds out, for the documentation. */
  readonly about: string;
  /** The actions that it needs permission for. */
  readonly needs: readonly string[];
}

/** Of an account and region: it can be made before a deployment. */
export interface AccountCheck extends CheckRow {
  readonly of: 'account';
  readonly run: (context: CheckContext) => Promise<readonly Finding[]>;
}

/** Of a deployed gateway. */
export interface StackCheck extends CheckRow {
  readonly of: 'stack';
  readonly run: (context: StackContext) => Promise<readonly Finding[]>;
}

export type Check = AccountCheck | StackCheck;
