/** Keeps the log of the gateways that run in this process out of the test report. `TEST_LOG=1` shows it. */
import { captureLog } from './captured-log.ts';

if (process.env.TEST_LOG !== '1') captureLog({ keep: false });
