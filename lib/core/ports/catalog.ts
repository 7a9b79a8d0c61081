/** The catalog of models. */
import type { Model } from '../model.ts';

export interface Catalog {
  find(id: string): Promise<Model | undefined>;
  list(): Promise<readonly Model[]>;
}
