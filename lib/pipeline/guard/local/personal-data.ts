/** Personal data that shows by its form: addresses, numbers with check digits, and such. */
import { type PersonalData, personalData } from '../../../core/guardrails/local-rules.ts';
import { type Match, matchesOf, type Scan } from './scan.ts';

interface Form {
  readonly expression: RegExp;
  readonly accept?: (found: string) => boolean;
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The Luhn checksum, which card numbers have. */
function hasLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const isCard = (found: string): boolean => {
  const digits = digitsOf(found);
  return digits.length >= 13 && digits.length <= 19 && new Set(digits).size > 1 && hasLuhn(digits);
};

/** ISO 13616: the letters are numbers from 10, and the whole number leaves 1 when it is divided by 97. */
function isIban(found: string): boolean {
  const characters = found.replaceAll(' ', '');
  if (characters.length < 15 || characters.length > 34) return false;
  const turned = characters.slice(4) + characters.slice(0, 4);
  let rest = 0;
  for (const character of turned) {
    for (const digit of `${Number.parseInt(character, 36)}`) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

const isPhone = (found: string): boolean => {
  const { length } = digitsOf(found);
  return length >= 8 && length <= 15;
};

/** The eight groups of an address, of which `::` leaves out those that are 0. Two letters around `::` are more often code. */
function isIpv6(found: string): boolean {
  const groups = found.split(':').filter((group) => group !== '');
  const isShort = found.includes('::');
  if (found.split('::').length > 2 || found.includes(':::')) return false;
  return isShort ? groups.length < 8 && (found === '::1' || groups.length > 2) : groups.length === 8;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const forms: Readonly<Record<PersonalData, readonly Form[]>> = {
  // From its sign in both directions: few texts have one.
  email: [{ expression: /@(?<=([\p{L}\p{N}._%+-]{1,64})@)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu }],
  phone: [
    // International, with `+` or `00`.
    { expression: /(?<![\w.])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){7,14}(?!\d)/g, accept: isPhone },
    // National: in the groups of North America, or with a leading 0 and a separator after the area.
    { expression: /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/g },
    {
      expression: /(?<![\w.-])\(?0[1-9]\d{1,3}\)?(?: ?[/-] ?| )\d(?:[ -]?\d){5,8}(?![\w-])/g,
      accept: isPhone,
    },
  ],
  card: [{ expression: /(?<![\w.])[2-6](?:[ -]?\d){12,18}(?!\w)/g, accept: isCard }],
  ip: [
    { expression: new RegExp(`(?<![\\w.])${octet}(?:\\.${octet}){3}(?![\\w]|\\.\\d)`, 'g') },
    { expression: /(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])/g, accept: isIpv6 },
  ],
  iban: [
    {
      expression: /(?<!\w)[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g,
      accept: isIban,
    },
  ],
  ssn: [
    { expression: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])/g },
    { expression: /(?<![\w-])(?!000|666|9)\d{3} (?!00)\d\d (?!0000)\d{4}(?![\w-])/g },
  ],
};

export const scanPersonalData = (types: readonly PersonalData[] = personalData): Scan =>
  function* scan(text) {
    const found: Match[] = [];
    for (const label of types) {
      for (const { expression, accept } of forms[label]) {
        for (const range of yield* matchesOf(expression, text, accept)) found.push({ ...range, label });
      }
    }
    return outermost(found);
  };

/** A part of a number may look like another one. */
function outermost(found: readonly Match[]): readonly Match[] {
  const kept: Match[] = [];
  for (const match of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (match.end > (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}
