/** The descriptions of the fields of hosts, rows of models and aliases. */
const host = {
  base_url: 'Its address; null: its row is malformed.',
  written_by: '`file`: the hosts file of a local gateway has it, where alone it can be changed.',
  row: 'The row as it is stored, with the fields of `hosts.json`; null: it is malformed.',
} as const;

const model = {
  written_by: '`seed`: it ships with the gateway.',
  row: 'The row as it is stored; null: it is malformed.',
} as const;

const of = (name: string, descriptions: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(descriptions).map(([field, text]) => [`${name}.${field}`, text]));

export const catalogDescriptions: Readonly<Record<string, string>> = {
  host: 'The name of a host of your own, as of a provider.',
  alias: 'A name for models, without a slash.',
  ...of('Host', host),
  ...of('HostList', host),
  ...of('ChangedHost', { ...host, created: 'Whether it is new.' }),
  'DeletedHost.models': 'The models that still name it.',
  ...of('ModelRow', model),
  ...of('ChangedModelRow', {
    ...model,
    created: 'Whether it is new.',
    shared_names: 'Its names without an owner that other models have, too: callers must use the id.',
  }),
  'admin-hosts-put.row': 'The row as a whole, with the fields of `hosts.json`. `name` is that of the path.',
  'admin-models-put.row': 'The row as a whole, as `catalog show` has it. `id` is that of the path.',
  targets: 'The models that it stands for.',
  weight: 'How often it is chosen among the targets that may be; absent: 1.',
  when: 'What a request must have for it to be chosen, all of it; absent: nothing.',
  'when.tools': 'Tools.',
  images: 'Images.',
  tools: 'Tools.',
  input_tokens_above: 'More than so many tokens of input, estimated.',
};
