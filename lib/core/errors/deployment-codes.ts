/** The codes of failures of a deployment. Others are the caller's: a request that is wrong fails everywhere. */
import { errorKinds } from './error-kinds.ts';

export const deploymentCodes: ReadonlySet<string | null> = new Set(
  Object.entries(errorKinds)
    .filter(
      ([kind, { status, recovery }]) => kind.startsWith('upstream_') && status !== 400 && recovery !== 'none',
    )
    .map(([, { code }]) => code),
);

/** The share of failed calls from which a deployment, or a provider, is failing. */
export const failingShare = 0.5;
