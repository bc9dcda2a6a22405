/** The settings as rows of the help and of the palette, each of which opens the settings screen at its setting. */
import { memoLast } from '../state/collections/memo.ts';
import type { KnownSetting } from '../state/model/setting-entry.ts';
import type { Command } from './command.ts';
import { openSettings } from './settings.ts';

const settingRow = (setting: KnownSetting): Command => ({
  id: `settings.open ${setting.id}`,
  setting,
  group: 'Settings',
  where: ['global'],
  title: `Setting ${setting.id}: ${setting.about}`,
  keys: [],
  run: (context) => openSettings(context, setting.id),
});

/** The commands, with a row for each setting after them. */
export const withSettings = memoLast(
  (commands: readonly Command[], known: readonly KnownSetting[]): readonly Command[] => [
    ...commands,
    ...known.map(settingRow),
  ],
);
