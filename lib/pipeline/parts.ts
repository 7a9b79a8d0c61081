/** What the pipeline needs from the runtime. */
import type { Catalog } from '../core/ports/catalog.ts';
import type { Providers } from '../providers/provider.ts';
import type { Health } from '../routing/health.ts';
import type { Connections } from './use/account.ts';

export interface PipelineParts {
  readonly catalog: Catalog;
  readonly providers: Providers;
  readonly connections: Connections;
  readonly health: Health;
  /** The time in milliseconds. */
  readonly now: () => number;
}
