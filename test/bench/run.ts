/** The command `npm run bench`. */
import { runLoad } from './load.ts';
import { measure } from './measure.ts';
import { readOptions } from './options.ts';
import { onGround } from './places.ts';
import { profile } from './profile.ts';

const options = readOptions(process.argv.slice(2));
const work = { measure, load: runLoad, profile }[options.mode];
await onGround((ground) => work(ground, options));
