/** The catalog of models. */
import type { Model } from '../catalog/model.ts';
import type { AliasTarget, Named } from '../names/names.ts';

export interface Catalog {
  find(id: string): Promise<Model | undefined>;
  list(): Promise<readonly Model[]>;
  /** What a name without an owner may stand for; no models if nothing. */
  named(name: string): Promise<Named>;
  /** The aliases of the operator, by name. */
  aliases(): Promise<ReadonlyMap<string, readonly AliasTarget[]>>;
}
