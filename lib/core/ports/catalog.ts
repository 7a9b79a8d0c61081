/** The catalog of models. */
import type { Model } from '../catalog/model.ts';
import type { ProviderData } from '../catalog/provider-data.ts';
import type { AliasTarget, Named } from '../names/names.ts';

export interface Catalog {
  find(id: string): Promise<Model | undefined>;
  list(): Promise<readonly Model[]>;
  /** What a name without an owner may stand for; no models if nothing. */
  named(name: string): Promise<Named>;
  /** The aliases of the operator, by name. */
  aliases(): Promise<ReadonlyMap<string, readonly AliasTarget[]>>;
  /** What the operator says that providers do with what they are sent, by provider. Absent: nothing. */
  dataFacts?(): Promise<Readonly<Record<string, ProviderData>>>;
}
