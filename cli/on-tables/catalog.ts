/** Operations on what an operator writes into the catalog. */
import { deleteAlias, listAliases, putAlias } from '../../lib/admin/catalog/aliases.ts';
import { deleteHost, listHosts, putHost } from '../../lib/admin/catalog/hosts.ts';
import { deleteModel, putModel, retrieveModel } from '../../lib/admin/catalog/models.ts';
import type { CatalogParts } from '../../lib/admin/catalog/parts.ts';
import type { User } from '../../lib/core/admin/user.ts';
import type { Installation } from '../command.ts';

const ofCatalog =
  <Input, Answer>(
    work: (parts: CatalogParts, user: User, input: Input, ifMatch?: string) => Promise<Answer>,
  ) =>
  (installation: Installation, user: User, input: Input, ifMatch?: string): Promise<Answer> =>
    work({ ...installation, models: installation.catalog }, user, input, ifMatch);

export const onCatalog = {
  'admin-hosts-list': ofCatalog(listHosts),
  'admin-hosts-put': ofCatalog(putHost),
  'admin-hosts-delete': ofCatalog(deleteHost),
  'admin-models-retrieve': ofCatalog(retrieveModel),
  'admin-models-put': ofCatalog(putModel),
  'admin-models-delete': ofCatalog(deleteModel),
  'admin-aliases-list': ofCatalog(listAliases),
  'admin-aliases-put': ofCatalog(putAlias),
  'admin-aliases-delete': ofCatalog(deleteAlias),
};
