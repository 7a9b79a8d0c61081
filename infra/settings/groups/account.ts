/** What an account asks of everything that is made in it. */
import { listOf, type SettingRow, type SettingText } from '../values.ts';

export interface AccountSettings {
  /** `tags` on everything, beside `gateway:stack`. */
  readonly tags: ReadonlyMap<string, string>;
  /** `permissionsBoundary`: the ARN or the name of the policy that bounds every role; none if empty. */
  readonly permissionsBoundary: string;
}

export const accountRows: readonly SettingRow[] = [
  {
    name: 'tags',
    meaning: 'Tags on everything, beside `gateway:stack`: `team=ai,stage=prod`',
    form: 'tags',
  },
  {
    name: 'permissionsBoundary',
    meaning: 'The name or the ARN of a policy of the account that bounds every role',
  },
];

/** On every resource: the name of the stack that it belongs to. */
export const stackTag = 'gateway:stack';

/** Of a resource, less ours. Source: docs.aws.amazon.com tag-editor, tagging, "Tag naming limits". */
const maxTags = 49;
const tagKey = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/+@-]{1,128}$/iu;
const tagValue = /^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u;
/** Source: docs.aws.amazon.com IAM, reference_iam-quotas, and API_CreatePolicy. */
const boundaryName = /^[\w+=,.@-]{1,128}$/;
const boundaryArn = /^arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy\/[\w+=,.@/-]{1,512}$/;

/** Throws an Error that names the setting at fault. */
export function readAccount(text: SettingText): AccountSettings {
  const permissionsBoundary = text('permissionsBoundary', '');
  const isPolicy = boundaryName.test(permissionsBoundary) || boundaryArn.test(permissionsBoundary);
  if (permissionsBoundary && !isPolicy)
    throw new Error(
      `The setting "permissionsBoundary" must be the name or the ARN of a policy, not "${permissionsBoundary}".`,
    );
  return { tags: readTags(listOf(text, 'tags')), permissionsBoundary };
}

function readTags(parts: readonly string[]): ReadonlyMap<string, string> {
  const tags = new Map(parts.map(readTag));
  if (tags.size > maxTags) throw new Error(`The setting "tags" must have at most ${maxTags} tags.`);
  return tags;
}

function readTag(part: string): readonly [string, string] {
  const [, key = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
  if (tagKey.test(key) && tagValue.test(value) && key !== stackTag) return [key, value];
  throw new Error(
    `The setting "tags" must be a list such as team=ai,stage=prod, of up to 128 characters for a key and 256 for a value, not "${part}".`,
  );
}
