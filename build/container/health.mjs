// The health check of the container image, which has no shell and no curl: asks this machine's server for /healthz, or for its argument.
import { get } from 'node:http';

const { PORT: port = '8080' } = process.env;
const [path = '/healthz'] = process.argv.slice(2);
const fail = () => process.exit(1);

get({ host: '127.0.0.1', port, path, timeout: 3_000 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
)
  .on('error', fail)
  .on('timeout', fail);
