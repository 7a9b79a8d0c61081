/** The Lambda of the dashboard's page. Its files are beside the bundle. */
import { join } from 'node:path';
import { lazy } from '../../lib/async/lazy.ts';
import { servePage } from '../../lib/http/page/serve-page.ts';
import { readPageFiles } from '../../lib/runtime/admin/page-files.ts';

export const create = () => servePage(lazy(() => readPageFiles(join(import.meta.dirname, 'page'))));
