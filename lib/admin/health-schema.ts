/** How a deployment, or a provider, did lately, from the sums of requests. The dashboard uses these types. */
import * as z from 'zod/mini';

/** `unknown`: no call of it is known of in that time, or there are no sums. It is never a synonym of healthy. */
const healthStates = ['healthy', 'degraded', 'failing', 'unknown'] as const;

const failureCountSchema = z.object({
  /** A code of the error table. */
  code: z.string(),
  count: z.int(),
});

export const healthSchema = z.object({
  state: z.enum(healthStates),
  /** From when on calls were counted, in Unix seconds; null where there are no sums. */
  since: z.nullable(z.int()),
  /** Calls of it by all tenants; null where there are no sums, and for all but operators. */
  attempts: z.nullable(z.int()),
  /** Those of them that failed, of every code. Null as `attempts`. */
  failures: z.nullable(z.int()),
  /** The most frequent first; empty for all but operators. */
  failures_by_code: z.array(failureCountSchema),
  /** In Unix seconds. Null: none is known, and for all but operators. */
  last_failure_at: z.nullable(z.int()),
});

export type HealthState = (typeof healthStates)[number];
export type HealthAnswer = z.infer<typeof healthSchema>;
