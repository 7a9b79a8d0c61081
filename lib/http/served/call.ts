/** What an operation gets of a request. */
import type { Call } from '../../core/endpoint.ts';
import type { EarlyHead } from '../early-head.ts';
import { sessionOf } from '../request/caller-ids.ts';
import { reachedAt } from '../request/reached-at.ts';
import type { ServedRequest } from './served-request.ts';

type Known<Input> = { -readonly [Name in keyof Call<Input>]: Call<Input>[Name] };

export function callOf<Input>(
  served: ServedRequest,
  input: Input,
  early: EarlyHead | undefined,
): Call<Input> {
  const { request, host, deadline, meter, requestLog } = served;
  const call: Known<Input> = {
    input,
    requestId: host.requestId,
    reachedAt: () => reachedAt(request),
    signal: deadline.signal,
    lasting: deadline.lasting,
    remainingMs: (served.buffered ?? deadline).remainingMs,
    facts: requestLog.facts,
    admit: meter.admit,
    preview: meter.preview,
    begin() {
      served.resumable?.begin();
      meter.begin(requestLog.toLedger({ status: 200 }));
    },
    atEnd(work) {
      served.atEnd = work;
    },
    handOver: (planned) => meter.handOver(requestLog.toLedger({ status: 200 }, planned)),
  };
  const sessionId = sessionOf(request);
  if (served.key) call.key = served.key;
  if (sessionId) call.sessionId = sessionId;
  if (host.memory) call.memory = host.memory;
  if (served.form) call.file = served.form.file;
  if (requestLog.trace) call.trace = requestLog.trace;
  if (early) call.onLastTarget = early.onLastTarget;
  return call;
}
