/** Made-up lines of config.toml: settings that fit, wrong values, unknown keys, and what is no TOML. */
import fc from 'fast-check';
import { rowOf, settingIds } from '../../../src/config/settings-table.ts';

const literal = fc.oneof(
  fc.constantFrom('true', 'false', '0', '5', '-1', 'nan', 'inf', '1e400', '1979-05-27'),
  fc.constantFrom('{}', '[]', '[[1], "a"]', '{ a = 1 }'),
  fc.constantFrom('"dark"', '"ask"', '"none"', '"22:00-07:00"', '"25:00-07:00"', '["say", "{title}"]'),
  fc.constantFrom('["x{title}"]', '"""\n"""'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 10 }),
);
const key = fc.oneof(
  fc.constantFrom(...settingIds, 'profiles', 'notify', 'profiles.work.server', 'profiles.work', 'thme'),
  fc.constantFrom('__proto__', 'constructor'),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const fitting = fc.constantFrom(...settingIds).map((id) => `${id} = ${rowOf(id).example}`);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, literal).map(([name, value]) => `${name} = ${value}`) },
  { weight: 3, arbitrary: fitting },
  { weight: 1, arbitrary: key.map((name) => `[${name}]`) },
  { weight: 1, arbitrary: fc.constantFrom('# a comment', '', '[', 'theme') },
);

/** The text of a file of at most five lines, most of which are wrong. */
export const randomConfig = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
