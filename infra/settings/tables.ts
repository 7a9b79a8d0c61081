/** How the tables of a deployment are kept. */
import { matching, oneOf, type SettingText } from './values.ts';

export interface TableSettings {
  /** `retain`; with `false`, the tables are deleted with the stack. */
  readonly retain: boolean;
  /** `kmsKeyArn`: the operator's key for tables and provider keys; keys of AWS by default. */
  readonly kmsKeyArn: string;
  /** `responseRecovery`: whether stored responses that were deleted can be restored for some weeks, as all tables can. */
  readonly responseRecovery: boolean;
}

const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/;

/** Throws an Error that names the setting at fault. */
export const readTables = (text: SettingText): TableSettings => ({
  retain: oneOf('retain', text('retain', 'true'), ['true', 'false']) === 'true',
  kmsKeyArn: matching('kmsKeyArn', text('kmsKeyArn', ''), keyArn, 'the ARN of a key of KMS'),
  responseRecovery: oneOf('responseRecovery', text('responseRecovery', 'on'), ['on', 'off']) === 'on',
});
