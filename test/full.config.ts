import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Side by side with everything else when it begins first. */
const longest = 'outbox-model';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = (file: TestSpecification): boolean => file.moduleId.includes(longest);
    return [...files.filter(isLongest), ...files.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.full.test.ts'],
    testTimeout: 1_800_000,
    sequence: { sequencer: LongestFirst },
    env: { FORCE_COLOR: '0', TZ: 'UTC' },
  },
});
