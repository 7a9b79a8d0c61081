/** Reports a Node version that is too old. Plain JavaScript, because an older Node cannot load the other files. */
const minimum = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < minimum) {
  console.error(`The gateway requires Node ${minimum} or newer, but this is ${process.version}.`);
  console.error(`On most machines npm ci installs it. On this machine, install Node ${minimum} yourself.`);
  process.exit(1);
}
