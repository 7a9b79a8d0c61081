/** How the tables of a deployment are kept, and which are not its own. */
import { kindOf, type TableName, tableNames } from '../../../lib/core/tables.ts';
import { isOn, isTrue, matching, type SettingRow, type SettingText } from '../values.ts';

export interface TableSettings {
  /** `retain`; with `false`, the tables are deleted with the stack. */
  readonly retain: boolean;
  /** `kmsKeyArn`: the operator's key for tables and provider keys; keys of AWS by default. */
  readonly kmsKeyArn: string;
  /** `responseRecovery`: whether stored responses that were deleted can be restored for some weeks, as all tables can. */
  readonly responseRecovery: boolean;
  /** `tables.<name>`: tables that exist, such as restored ones, in place of those that the stack would make. */
  readonly adopted: ReadonlyMap<TableName, AdoptedTable>;
}

export interface AdoptedTable {
  readonly arn: string;
  /** `tables.usageStream`, of the table whose changes are followed. */
  readonly streamArn?: string;
}

const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/;
/** Source: docs.aws.amazon.com DynamoDB, API_CreateTable, "TableName", and API_TableDescription, "LatestStreamArn". */
const tableArn = /^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):([0-9]{12}):table\/[A-Za-z0-9_.-]{3,255}$/;
const streamLabel = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}$/;

const adoptionName = (name: TableName) => `tables.${name}`;
const streamName = (name: TableName) => `tables.${name}Stream`;

const adoptionRows = tableNames.flatMap((name): readonly SettingRow[] => [
  {
    name: adoptionName(name),
    meaning: `The ARN of a table that exists, such as a restored one, in place of the table "${name}" of the stack`,
  },
  ...(kindOf(name).hasStream
    ? [
        {
          name: streamName(name),
          meaning: `The ARN of the stream of that table, with both images of an item`,
        },
      ]
    : []),
]);

export const tableRows: readonly SettingRow[] = [
  { name: 'retain', meaning: 'With `false`, tables and logs are deleted with their stacks' },
  {
    name: 'kmsKeyArn',
    meaning:
      'Your key of KMS, in the region of the stack, for all tables and for provider keys that are set from then on. Its policy must let IAM policies of the account allow its use, as is the default',
  },
  {
    name: 'responseRecovery',
    meaning:
      '`off`: stored responses that were deleted cannot be restored. Otherwise, as with all tables, what `DELETE /v1/responses/{id}` removed can be restored by administrators of the account for up to 35 days',
  },
  ...adoptionRows,
];

/** Throws an Error that names the setting at fault. */
export const readTables = (text: SettingText): TableSettings => ({
  retain: isTrue(text, 'retain', 'true'),
  kmsKeyArn: matching(text, 'kmsKeyArn', keyArn, 'the ARN of a key of KMS'),
  responseRecovery: isOn(text, 'responseRecovery', 'on'),
  adopted: readAdopted(text),
});

function readAdopted(text: SettingText): ReadonlyMap<TableName, AdoptedTable> {
  const adopted = tableNames.flatMap((name): readonly [TableName, AdoptedTable][] => {
    const table = adoptedTable(name, text);
    return table ? [[name, table]] : [];
  });
  const places = new Set(adopted.map(([, { arn }]) => tableArn.exec(arn)?.slice(1).join(' ')));
  if (places.size > 1) throw new Error(`The settings "tables.…" must name tables of one region and account.`);
  const arns = new Set(adopted.map(([, { arn }]) => arn));
  if (arns.size < adopted.length)
    throw new Error('The settings "tables.…" must name a table of its own each.');
  return new Map(adopted);
}

function adoptedTable(name: TableName, text: SettingText): AdoptedTable | undefined {
  const setting = adoptionName(name);
  const arn = matching(text, setting, tableArn, 'the ARN of a table of DynamoDB');
  if (!kindOf(name).hasStream) return arn ? { arn } : undefined;
  const streamArn = text(streamName(name), '');
  if (!arn && !streamArn) return undefined;
  if (arn && streamArn.startsWith(`${arn}/stream/`) && streamLabel.test(streamArn.slice(arn.length + 8)))
    return { arn, streamArn };
  throw new Error(
    `The setting "${streamName(name)}" must be the ARN of a stream of the table that "${setting}" names, not "${streamArn}". A restored table has none until it is turned on.`,
  );
}
