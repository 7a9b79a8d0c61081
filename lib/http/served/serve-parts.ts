/** The dependencies of serving. */
import type { NoteRefusal } from '../../core/accounting/refusal.ts';
import type { FindApiKey, FoundApiKey, NoteKeyUse } from '../../core/ports/api-keys.ts';
import type { ClaimAnswer } from '../../core/ports/kept-answers.ts';
import type { Log } from '../../core/ports/log.ts';
import type { OpenMeter } from '../../core/ports/metering.ts';
import type { MeasureRequest } from '../../core/ports/request-metrics.ts';
import type { CreateStream } from '../../core/ports/resumable-streams.ts';
import type { ReadOn } from '../../core/read-on.ts';
import type { ReadForm } from '../form/read-form.ts';
import type { ReadHeldForm } from '../form/read-held-form.ts';

export interface ServeParts {
  readonly findApiKey: FindApiKey;
  /** Who calls, where no key was sent. Absent: the one whose key the request has. */
  readonly identify?: () => Promise<FoundApiKey>;
  readonly log: Log;
  readonly now: () => number;
  /** Absent for functions that call no provider: their requests are not metered. */
  readonly openMeter?: OpenMeter;
  /** Absent for functions that call no model. */
  readonly claimAnswer?: ClaimAnswer;
  /** Absent for functions that send no stream that can be resumed. */
  readonly createStream?: CreateStream;
  /** Absent for functions that take no files. */
  readonly readForm?: ReadForm;
  /** The same of those that are held in memory. */
  readonly readHeldForm?: ReadHeldForm;
  /** Absent for functions that may only read keys. */
  readonly noteKeyUse?: NoteKeyUse;
  /** Absent for functions that call no model. */
  readonly noteRefusal?: NoteRefusal;
  /** Whether the process was started for this request. Each call asks about another request. */
  readonly isColdStart?: () => boolean;
  /** The period without events after which a stream sends a comment, in milliseconds; 10 s by default. */
  readonly heartbeatMs?: number | undefined;
  /** Absent: the call of a provider ends when the caller leaves. */
  readonly readOn?: ReadOn;
  /** Whether spans are made of requests. */
  readonly isTraced?: boolean;
  /** Absent where log lines have no metrics. */
  readonly measure?: MeasureRequest | undefined;
  /** The origins of the web pages that may read the answers. */
  readonly corsOrigins?: readonly string[];
}
