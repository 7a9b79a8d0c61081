/** What the pipeline needs from the runtime. */
import type { AnswerCache } from '../core/ports/answer-cache.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import type { Guardrails } from '../core/ports/guardrails.ts';
import type { Providers } from '../providers/provider.ts';
import type { Health } from '../routing/health.ts';
import type { Connections } from './use/account.ts';

export interface PipelineParts {
  readonly catalog: Catalog;
  readonly providers: Providers;
  readonly connections: Connections;
  readonly health: Health;
  /** Absent where no tenant has guardrails. */
  readonly loadGuardrails?: () => Promise<Guardrails>;
  /** Absent: no answers are cached. */
  readonly answerCache?: (() => Promise<AnswerCache>) | undefined;
  /** The time in milliseconds. */
  readonly now: () => number;
}
