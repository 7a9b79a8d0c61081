/** The part of a catalog without names or aliases, for tests that call models by their ids. */
import type { Catalog } from '../../lib/core/ports/catalog.ts';

export const noNames: Pick<Catalog, 'named' | 'aliases'> = {
  named: async () => ({ models: [] }),
  aliases: async () => new Map(),
};
