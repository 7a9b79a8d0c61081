/**
 * Where a dashboard can be. Sources: docs.aws.amazon.com govcloud-us, govcloud-cog (user pools, with hosts of their own), and
 * getting started there (no CloudFront); docs.amazonaws.cn userguide, cognito (no user pools). Of other partitions it is not known.
 */
import type { DashboardSettings } from './dashboard.ts';

interface Place {
  readonly regions: RegExp;
  /** What a dashboard may be there; none: it can only be left out. */
  readonly hosts: readonly DashboardSettings['host'][];
}

const places: readonly Place[] = [
  { regions: /^us-gov-/, hosts: ['lambda'] },
  { regions: /^(?:cn|us-iso[a-z]?|eu-isoe|eusc)-/, hosts: [] },
];

/** Throws an Error that names the setting to use. `region`: undefined while it is not known. */
export function refuseUnavailable(
  dashboard: DashboardSettings | undefined,
  region: string | undefined,
): void {
  const hosts = places.find(({ regions }) => regions.test(region ?? ''))?.hosts;
  if (!dashboard || hosts === undefined || hosts.includes(dashboard.host)) return;
  const [other] = hosts;
  throw new Error(
    other === undefined
      ? `The dashboard needs user pools of Cognito, which ${region} does not have: add -c dashboard=false.`
      : `The setting "dashboard" cannot be "${dashboard.host}" in ${region}: add -c dashboard=${other}, or -c dashboard=false.`,
  );
}
