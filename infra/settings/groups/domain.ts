/** The domain of a deployment. */
import type { SettingRow } from '../row.ts';
import { matching, type SettingText } from '../values.ts';

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
export const readDomain = (text: SettingText): Domain | undefined =>
  domainOf(text, { name: 'domainName', certificate: 'certificateArn' });

/** The same of other settings: that of the name and that of the certificate. */
export function domainOf(
  text: SettingText,
  settings: { readonly name: string; readonly certificate: string },
): Domain | undefined {
  const name = matching(settings.name, text(settings.name, ''), hostName, 'a host name in lower case');
  const given = text(settings.certificate, '');
  matching(settings.certificate, given, certificateArn, 'the ARN of a certificate of ACM');
  if (!name && !given) return undefined;
  if (name && given) return { name, certificateArn: given };
  throw new Error(`The settings "${settings.name}" and "${settings.certificate}" go together.`);
}
