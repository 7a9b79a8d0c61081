/** The process of a release: its local gateway on a data directory, until standard input ends. Arguments: its folder, the data directory. */
const [folder = '', dataDirectory = ''] = process.argv.slice(2);
const { startGateway } = await import(`${folder}/infra/local/gateway.ts`);
const { url, apiKey, close } = await startGateway({ port: 0, dataDirectory });
console.log(JSON.stringify({ url, apiKey }));
process.stdin.resume().once('end', async () => {
  await close();
  process.exit(0);
});
