/**
 * The jars of DynamoDB Local: from the folder in DYNAMODB_LOCAL_DIR, or fetched once by Maven. They are AWS's, under AWS's own licence,
 * and so no part of this project (aws.amazon.com/dynamodb/dynamodblocallicense). Version 3 lacks parts where Maven looks by default.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const version = '2.6.1';

const cache = join(import.meta.dirname, '../../../node_modules/.cache', `dynamodb-local-${version}`);

/** Where the jars are; undefined if they are not on this machine. */
export function jarDirectory(): string | undefined {
  const given = process.env.DYNAMODB_LOCAL_DIR;
  if (given) return existsSync(given) ? given : undefined;
  return existsSync(cache) ? cache : undefined;
}

export const hasJava = (): boolean => spawnSync('java', ['-version']).status === 0;

/** What Maven is to fetch: the engine with all that it depends on, the libraries of SQLite among them. */
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>model-gateway</groupId><artifactId>dynamodb-local</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>${version}</version></dependency>
  </dependencies>
</project>
`;

/** Why there are no jars; undefined if there are. It may take some minutes the first time. */
export function fetchJars(): string | undefined {
  if (jarDirectory()) return undefined;
  if (process.env.DYNAMODB_LOCAL_DIR) return 'DYNAMODB_LOCAL_DIR is not a folder';
  if (spawnSync('mvn', ['--version']).status !== 0)
    return 'there is no Maven (mvn), and no DYNAMODB_LOCAL_DIR';
  const partly = `${cache}-${process.pid}`;
  mkdirSync(partly, { recursive: true });
  const file = join(partly, 'pom.xml');
  writeFileSync(file, project);
  const task = ['dependency:copy-dependencies', `-DoutputDirectory=${partly}`];
  const { status } = spawnSync('mvn', ['--batch-mode', '--quiet', '-f', file, ...task], { stdio: 'inherit' });
  // What was fetched in part is not taken for the whole.
  if (status === 0) renameSync(partly, cache);
  else rmSync(partly, { recursive: true });
  return status === 0 ? undefined : 'Maven could not fetch it';
}
