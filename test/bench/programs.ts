/** Everything that is measured, one entry a column of the report. */
import { measureCodePages } from './code-pages.ts';
import { irssi, measureEcho, measureNode, weechat } from './floors.ts';
import { measureLong } from './long.ts';
import { longKinds } from './long-texts.ts';
import { measureChat, measureConversations, measureFirstSync, measurePages } from './msg-tui.ts';
import { measureSwitcher } from './switcher.ts';
import type { Program } from './world.ts';

const isThere = (): boolean => true;

/** The first ones are the floors; the last ones are msg-tui under other loads. */
export const programs: readonly Program[] = [
  { name: 'node', isThere, run: measureNode },
  { name: 'echo', isThere, run: measureEcho },
  weechat,
  irssi,
  { name: 'msg-tui', isThere, run: measureChat },
  { name: 'short history', isThere, run: (world, sizes) => measurePages(world, sizes, 1_000) },
  { name: 'long history', isThere, run: (world, sizes) => measurePages(world, sizes, sizes.messages) },
  { name: 'first sync', isThere, run: measureFirstSync },
  { name: 'many conversations', isThere, run: measureConversations },
  { name: 'switcher', isThere, run: (world, sizes) => measureSwitcher(world, sizes, 200) },
  {
    name: 'switcher: many',
    isThere,
    run: (world, sizes) => measureSwitcher(world, sizes, sizes.manyConversations),
  },
  { name: 'code', isThere, run: measureCodePages },
  ...longKinds.map(
    (kind): Program => ({ name: `long: ${kind}`, isThere, run: (world, sizes) => measureLong(world, sizes, kind) }),
  ),
];
