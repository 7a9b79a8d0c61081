/** The command `npm run destroy`. */
import { openAws } from '../installations/aws-access.ts';
import { processTerminal } from '../run.ts';
import { destroy } from './destroy.ts';
import { profileOf } from './typed.ts';

const words = process.argv.slice(2);
const profile = profileOf(words);
if (profile !== undefined) process.env.AWS_PROFILE = profile;

process.exitCode = await destroy(words, {
  terminal: processTerminal,
  open: (region) => openAws(region, process.env),
  pauseMs: 5_000,
});
