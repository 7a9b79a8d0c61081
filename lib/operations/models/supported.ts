/** What models can be asked for in the list, by `supports`: operations, input, and what a model can do. */
import { endpoints } from '../../core/catalog/model-endpoints.ts';

export const supportedNames = [
  ...endpoints,
  'image',
  'pdf',
  'audio',
  'video',
  'tools',
  'reasoning',
  'structured_outputs',
  'web_search',
] as const;

export type Supported = (typeof supportedNames)[number];

export const isSupportedName = (name: string): name is Supported =>
  supportedNames.some((known) => known === name);
