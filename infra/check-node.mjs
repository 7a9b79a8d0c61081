/**
 * Says clearly when Node is too old. Plain JavaScript, because an older Node cannot even read the other files.
 */
const oldest = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < oldest) {
  console.error(`The gateway needs Node ${oldest} or newer; this is ${process.version}.`);
  console.error('npm ci brings one along on most machines; on this one, please install it.');
  process.exit(1);
}
