/** The error reference by what the ledger has of an error: its code, or its kind where that has none. */
import { codeGuide, type ErrorGuide, kindGuide } from '../../../lib/core/errors/error-guide.ts';
import { meanings } from '../../../lib/core/errors/error-kinds.ts';

const guides = new Map<string, ErrorGuide>(Object.entries(codeGuide));
for (const [kind, guide] of Object.entries(kindGuide)) {
  const { code } = meanings[kind as keyof typeof meanings];
  // The first kind with a code is the default.
  if (code !== null && !guides.has(code)) guides.set(code, guide);
  guides.set(kind, guide);
}
guides.set('interrupted', {
  when: 'The process that served the request ended before its answer did.',
  what: 'Send the request again.',
});

guides.set('not_begun', {
  when: 'A response in the background was cancelled or deleted while it was queued, or no process began it in time.',
  what: 'It cost nothing. If it was not cancelled, send the request again.',
});

/** Undefined for a code of a provider. */
export const guideOf = (code: string): ErrorGuide | undefined => guides.get(code);
