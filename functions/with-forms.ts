/** The runtime of a function whose bodies may be forms in memory. */
import type { ReadHeldForm } from '../lib/http/form/read-held-form.ts';
import type { ServeParts } from '../lib/http/served/serve-parts.ts';
import type { Variables } from '../lib/runtime/environment.ts';

/** Loaded with the first form. */
const readHeldForm: ReadHeldForm = async (...given) =>
  await (await import('../lib/http/form/read-held-form.ts')).readHeldForm(...given);

export const withForms =
  <Runtime extends object>(runtimeOf: (variables: Variables) => Runtime) =>
  (variables: Variables): Runtime & Pick<ServeParts, 'readHeldForm'> => ({
    ...runtimeOf(variables),
    readHeldForm,
  });
