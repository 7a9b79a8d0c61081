/** The rules for the Dockerfile that need no engine to be checked. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programs } from '../../build/build.ts';
import { nodePath } from '../../build/container/assemble.ts';
import { copiedPaths, ignoreLines, readInstructions, root } from './dockerfile.ts';

const instructions = readInstructions();
const of = (name: string, stage?: number) =>
  instructions
    .filter((one) => one.name === name && (stage === undefined || one.stage === stage))
    .map(({ text }) => text);
const [only = ''] = of('USER');
const last = Math.max(...instructions.map(({ stage }) => stage));

describe('stages', () => {
  test('begin with a version, by a short name that any registry may serve', () => {
    const images = of('FROM').map((text) => text.split(' ')[0] ?? '');
    expect(images.at(-1)).toBe('scratch');
    for (const image of images.slice(0, -1)) expect(image).toMatch(/^[a-z]+:\d[\w.-]*$/);
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).not.toMatch(/latest|https?:|^# *syntax/m);
  });

  test('add nothing but files of the project, and run only npm', () => {
    expect(of('ADD')).toEqual([]);
    expect(of('RUN')).toEqual(['npm ci', 'npm run image -- /image']);
    expect(of('RUN', last)).toEqual([]);
    expect(of('COPY', last)).toEqual(['--from=build /image /']);
  });

  test('copy what exists, and .dockerignore lets exactly that through', () => {
    for (const path of copiedPaths()) expect(existsSync(join(root, path)), path).toBe(true);
    const [everything, ...allowed] = ignoreLines();
    expect(everything).toBe('*');
    expect(allowed.toSorted()).toEqual(
      copiedPaths()
        .map((path) => `!${path}`)
        .toSorted(),
    );
  });

  test('have no secret: no argument, and no variable beside these', () => {
    expect(of('ARG')).toEqual([]);
    expect(of('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0 PORT=8080']);
  });
});

describe('the image', () => {
  test('runs as one user without rights, by number, so that Kubernetes can see that it is not root', () => {
    expect(of('USER')).toHaveLength(1);
    expect(only).toBe('65532:65532');
  });

  test('stops by SIGTERM, and its check and entry need no shell', () => {
    expect(of('STOPSIGNAL')).toEqual(['SIGTERM']);
    const [check = ''] = of('HEALTHCHECK');
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4));
    expect(command).toEqual([`/${nodePath}`, '/app/health.mjs']);
    expect(JSON.parse(of('ENTRYPOINT')[0] ?? '')).toEqual([`/${nodePath}`]);
    expect(JSON.parse(of('CMD')[0] ?? '')).toEqual(['/app/server/index.mjs']);
    expect(Object.keys(programs)).toContain('server');
  });

  test('has labels, and names its port', () => {
    const labels = of('LABEL').join(' ');
    for (const name of ['title', 'description', 'licenses']) expect(labels).toContain(`image.${name}=`);
    expect(of('EXPOSE')).toEqual(['8080']);
  });
});
