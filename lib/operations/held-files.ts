/** The schema of the files of a form in memory: in a JSON body there are none. */
import * as z from 'zod/mini';
import { type HeldFile, isHeldFile } from '../core/held-form.ts';

export const heldFiles = z.array(z.custom<HeldFile>(isHeldFile, 'must be a file of a form'));
