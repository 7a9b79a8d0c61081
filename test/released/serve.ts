/** The process of a release: its local gateway on a data directory, until standard input ends. Arguments: its folder, the data directory. */
import { existsSync } from 'node:fs';

const [folder = '', dataDirectory = ''] = process.argv.slice(2);

// Releases before November 23 have it in `infra`.
const room = existsSync(`${folder}/local`) ? folder : `${folder}/infra`;
const { startGateway } = await import(`${room}/local/gateway.ts`);
const { url, apiKey, close } = await startGateway({ port: 0, dataDirectory, environment: process.env });
console.log(JSON.stringify({ url, apiKey }));
process.stdin.resume().once('end', async () => {
  await close();
  process.exit(0);
});
