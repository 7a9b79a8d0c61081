/** The domain of a deployment. */
import type { SettingRow } from './row.ts';
import { matching, type SettingText } from './values.ts';

/** A domain of the operator for the API, with a certificate of the same region. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

export const domainRows: readonly SettingRow[] = [
  {
    name: 'domainName',
    meaning: 'A domain of your own; the output `DomainTarget` goes into its DNS record',
  },
  { name: 'certificateArn', meaning: 'Its certificate of ACM, in the region of the stack' },
];

const certificateArn = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;
/** A label has at most 63 characters. */
const hostName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Throws an Error that names the setting at fault. */
export function readDomain(text: SettingText): Domain | undefined {
  const domain = {
    name: matching('domainName', text('domainName', ''), hostName, 'a host name in lower case'),
    certificateArn: matching(
      'certificateArn',
      text('certificateArn', ''),
      certificateArn,
      'the ARN of a certificate of ACM',
    ),
  };
  if (!domain.name && !domain.certificateArn) return undefined;
  if (domain.name && domain.certificateArn) return domain;
  throw new Error('The settings "domainName" and "certificateArn" go together.');
}
