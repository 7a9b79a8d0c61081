/** Property tests repeat fewer times for each mutant than in the suite. */
import * as fc from 'fast-check';

fc.configureGlobal({ numRuns: 30 });
