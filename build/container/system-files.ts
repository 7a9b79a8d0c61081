/** What of the build's operating system a program needs: Node, the shared libraries that it loads, and their licences. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** From where to where in the image, below its root. */
interface SystemFile {
  readonly from: string;
  readonly to: string;
}

/** The user of the image, and of nothing else. */
const userId = 65_532;

/**
 * The files that an engine does not mount. Without `nsswitch.conf`, names would be asked of a name server before `/etc/hosts`. Node
 * has the certificates of the public authorities itself; `NODE_EXTRA_CA_CERTS` adds others.
 */
export const textFiles: Readonly<Record<string, string>> = {
  'etc/passwd': `gateway:x:${userId}:${userId}:gateway:/app:/sbin/nologin\n`,
  'etc/group': `gateway:x:${userId}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/** Rejects where Node is linked otherwise than with glibc. */
export async function librariesOf(program: string): Promise<readonly SystemFile[]> {
  const { stdout } = await run('ldd', [program]);
  const paths = stdout
    .split('\n')
    .flatMap((line) => line.split(/\s/).find((part) => part.startsWith('/')) ?? []);
  if (!paths.some((path) => path.includes('ld-linux'))) throw new Error('Node is not linked with glibc.');
  return paths.map((path) => ({ from: path, to: path.slice(1) }));
}

/** Of Debian; elsewhere there may be none. */
const libraryPackages = ['libc6', 'libgcc-s1', 'libstdc++6'];

export function licencesOfSystem(program: string): readonly SystemFile[] {
  // `bin/node` lies beside the licence of its distribution.
  const ofNode = { from: join(program, '../../LICENSE'), to: 'usr/share/doc/node/LICENSE' };
  const ofLibraries = libraryPackages.map((name) => ({
    from: `/usr/share/doc/${name}/copyright`,
    to: `usr/share/doc/${name}/copyright`,
  }));
  return [ofNode, ...ofLibraries].filter(({ from }) => existsSync(from));
}

/** Without its symbols, which are a seventh of it, where the build has the tool. Returns whether it has. */
export async function strip(program: string): Promise<boolean> {
  return await run('strip', [program]).then(
    () => true,
    () => false,
  );
}
