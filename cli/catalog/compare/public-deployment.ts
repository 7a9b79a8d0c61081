/**
 * What a public price file says about one model at one provider, in the units and names of a catalog row: USD per million
 * tokens, per thousand searches or requests, and per image. `above 200000` and the name of a service tier come before the field.
 */

import { isJsonObject } from '../../../lib/core/formats/json-object.ts';

export interface PublicDeployment {
  /** Where the file has it. */
  readonly key: string;
  readonly prices: ReadonlyMap<string, number>;
  readonly limits: { readonly input?: number; readonly output?: number };
  /** The day on which it ends, or ended. */
  readonly ends?: string;
  readonly abilities: PublicAbilities;
}

/** What the file says that a model can do. Absent: it does not say. */
export interface PublicAbilities {
  readonly kind?: 'text' | 'embedding' | 'image' | 'rerank' | 'speech';
  /** The provider serves it by its Responses API only. */
  readonly onlyResponses?: boolean;
  /** What it takes beside text. */
  readonly input: readonly string[];
  readonly reasoning: boolean;
  readonly schema?: boolean;
  readonly webSearch?: boolean;
  /** The length of its vectors. */
  readonly dimensions?: number;
}

/** A model of the file that could be served, and the name of the provider that the gateway has for it. */
export interface PublicModel {
  readonly key: string;
  readonly provider: string;
}

export interface DeploymentName {
  readonly provider: string;
  readonly region: string;
  readonly upstreamId: string;
}

export interface PublicFile {
  /** Throws an Error that names the entry and the field if it is malformed. */
  find(deployment: DeploymentName): PublicDeployment | undefined;
  /** The models at providers of the gateway that generate text, vectors or images, without those that have ended. */
  listActive(at: string): readonly PublicModel[];
}

/** The prefix of a field's name: of the tier that its price belongs to. */
export const tierName = (serviceTier: string | undefined, above: number | undefined): string =>
  `${serviceTier ? `${serviceTier} ` : ''}${above ? `above ${above} ` : ''}`;

/** From USD for one, without the noise of binary fractions. */
export const times = (count: number, usd: number): number => Number((usd * count).toPrecision(12));

/** Throws an Error for anything but a number that is not negative. */
export function amountIn(key: string, field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${key}: ${field} is not a number: ${String(JSON.stringify(value)).slice(0, 60)}`);
}

/** Throws an Error for anything but an object. */
export function objectIn(key: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value;
  throw new Error(`${key}: not an object`);
}

export const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
