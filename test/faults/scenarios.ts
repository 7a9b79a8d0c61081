/**
 * Sixteen ways in which a provider fails, and what a gateway must do for its caller and the provider. Each has its own model,
 * so that they do not affect each other.
 */

import {
  answer,
  answerLate,
  breakOff,
  type Fault,
  firstFails,
  leaveOutMark,
  neverAnswer,
  refuse,
  reset,
  stumble,
  type WallCall,
} from './failing-provider.ts';
import type { Checks, Judged } from './judge.ts';

export const firstByteMs = 2_500;
export const idleMs = 2_000;

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly fault: Fault;
  /** The fallback's own fault; it answers if there is none. */
  readonly fallbackFault?: Fault;
  /** The best result for the caller. */
  readonly best: 'whole' | 'error';
  readonly checks: (judged: Judged) => Checks;
}

const overloaded = refuse(503, 'overloaded');
const gapMs = ([first, second]: readonly WallCall[]) => (second?.at ?? 0) - (first?.at ?? 0);
const answersWithoutFallback: Scenario['checks'] = ({ primary, fallback }) => ({
  'one call, and no fallback': primary.length === 1 && fallback.length === 0,
});
const isRetried: Scenario['checks'] = ({ primary, fallback }) => ({
  'the same target is retried once': primary.length === 2,
  'the fallback is not needed': fallback.length === 0,
});
const fallsBack: Scenario['checks'] = ({ seen, primary, fallback }) => ({
  'at most two calls': primary.length <= 2,
  'not in a tight loop': primary.length < 2 || gapMs(primary) >= 400,
  'one call of the fallback': fallback.length === 1,
  'the routing lists all attempts': seen.routing.length === primary.length + 1,
});
/** What the caller has received cannot be taken back, so no other target may continue it. */
const reportsTheBreak =
  (code: string): Scenario['checks'] =>
  ({ seen, primary, fallback, alive }) => ({
    'the real error, in the stream': seen.status === 200 && seen.error?.code === code,
    'no other target continues': primary.length === 1 && fallback.length === 0,
    'in time': seen.waitedMs < 5_000,
    'the gateway keeps working': alive,
  });
const isRefused =
  (code: string): Scenario['checks'] =>
  (judged) => ({
    ...answersWithoutFallback(judged),
    'a 400 with its code': judged.seen.status === 400 && judged.seen.error?.code === code,
  });

export const scenarios: readonly Scenario[] = [
  {
    id: 's01',
    title: '429 with Retry-After, once',
    fault: firstFails(1, refuse(429, 'rate_limit_exceeded', { 'retry-after': '1' })),
    best: 'whole',
    checks: (judged) => ({
      ...isRetried(judged),
      'not before the requested wait': gapMs(judged.primary) >= 990,
      'soon after the requested wait': judged.seen.waitedMs < 3_000,
    }),
  },
  {
    id: 's02',
    title: '429 without Retry-After, always',
    fault: refuse(429, 'rate_limit_exceeded'),
    best: 'whole',
    checks: fallsBack,
  },
  {
    id: 's03',
    title: '500 once',
    fault: firstFails(1, refuse(500, 'server_error')),
    best: 'whole',
    checks: isRetried,
  },
  { id: 's04', title: '503 always', fault: overloaded, best: 'whole', checks: fallsBack },
  {
    id: 's05',
    title: 'connection reset before the headers, once',
    fault: firstFails(1, reset),
    best: 'whole',
    checks: isRetried,
  },
  {
    id: 's06',
    title: 'no answer at all',
    fault: neverAnswer,
    best: 'whole',
    checks: ({ seen, primary, fallback }) => ({
      'a target that times out is called once': primary.length === 1,
      'one call of the fallback': fallback.length === 1,
      'after the first-byte timeout': seen.ms >= firstByteMs && seen.waitedMs < firstByteMs + 2_000,
    }),
  },
  {
    id: 's07',
    title: 'headers at once, the first token late',
    fault: answerLate,
    best: 'whole',
    checks: ({ seen, primary, fallback }) => ({
      'one call each': primary.length === 1 && fallback.length === 1,
      'keep-alive comments do not count as an answer': seen.waitedMs < firstByteMs + 2_000,
    }),
  },
  {
    id: 's08',
    title: 'stream cut in the middle of the answer',
    fault: breakOff(40, 'cut'),
    best: 'whole',
    checks: reportsTheBreak('provider_stream_cut'),
  },
  {
    id: 's09',
    title: 'stream falls silent in the middle of the answer',
    fault: breakOff(20, 'silence'),
    best: 'whole',
    checks: (judged) => ({
      ...reportsTheBreak('provider_timeout')(judged),
      'after the idle timeout': judged.seen.ms >= idleMs,
    }),
  },
  {
    id: 's10',
    title: 'one malformed event',
    fault: stumble,
    best: 'whole',
    checks: (judged) => ({ ...answersWithoutFallback(judged), 'the gateway keeps working': judged.alive }),
  },
  {
    id: 's11',
    title: 'whole stream without the mark of its end',
    fault: leaveOutMark,
    best: 'whole',
    checks: (judged) => ({
      ...answersWithoutFallback(judged),
      'at once': judged.seen.waitedMs < 2_000,
      'usage is returned': judged.seen.outcome === 'error' || judged.seen.outputTokens === 60,
    }),
  },
  {
    // The contract has no fallback for a request that is too long: the caller gets the error and can fix it.
    id: 's12',
    title: 'context length exceeded',
    fault: refuse(400, 'context_length_exceeded'),
    best: 'error',
    checks: isRefused('context_length_exceeded'),
  },
  {
    // Another provider's weaker filter must not be used to bypass this one's.
    id: 's13',
    title: 'content filter',
    fault: refuse(400, 'content_policy_violation'),
    best: 'error',
    checks: isRefused('content_policy_violation'),
  },
  {
    id: 's14',
    title: 'stream cut, and a fallback that takes no half answer',
    fault: breakOff(40, 'cut'),
    fallbackFault: (response, attempt, call) => {
      const fault = call.lastRole === 'assistant' ? refuse(400, 'invalid_prefill') : answer;
      return fault(response, attempt, call);
    },
    best: 'whole',
    checks: reportsTheBreak('provider_stream_cut'),
  },
  {
    id: 's16',
    title: 'accounting of a fallback',
    fault: overloaded,
    best: 'whole',
    checks: (judged) => ({
      ...fallsBack(judged),
      'the model that answered': judged.seen.model === judged.fallbackModel,
      'only its usage': judged.seen.outputTokens === 60,
      'the routing names all models':
        judged.seen.routing.map(({ model, status }) => `${model} ${status}`).join(', ') ===
        `${judged.model} failed, ${judged.model} failed, ${judged.fallbackModel} succeeded`,
    }),
  },
];
