/** Notes after each file how many tests have passed, failed and been skipped: what is known also of a run that ends early. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The variable with the path of the file. */
export const countVariable = 'GATEWAY_TEST_COUNT';

export default class CountReporter implements Reporter {
  private readonly count = { passed: 0, failed: 0, skipped: 0, pending: 0 };

  onTestModuleEnd(module: TestModule): void {
    for (const test of module.children.allTests()) this.count[test.result().state] += 1;
    const { pending, ...count } = this.count;
    writeFileSync(
      process.env[countVariable] ?? '',
      JSON.stringify({ ...count, failed: count.failed + pending }),
    );
  }
}
