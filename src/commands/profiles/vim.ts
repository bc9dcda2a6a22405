/**
 * The keys of the profile `vim` that differ from the standard ones. The list and the messages are what vim calls normal
 * mode; the modes of the composer (`state/composer/vim`) take keys before the command table does.
 */
import type { KeyOverrides } from '../keymap.ts';

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** What vim people type after `:` to quit; `q` alone would be the key of another command. */
export const vimQuits = ['q', 'wq', 'qa', 'wqa'].flatMap((word) => [word, `${word}!`]);

export const vimKeys: KeyOverrides = {
  'focus.composer': ['i', 'a'],
  'palette.open': [':'],
  'conversation.next': ['alt+down', 'g t'],
  'conversation.previous': ['alt+up', 'g T'],
  'jump.back': ['alt+<', 'g ;'],
  'jump.forward': ['alt+>', 'g ,'],

  'list.next': ['j', 'down', 'n'],
  'list.previous': ['k', 'up', 'N'],
  'list.first': ['g g', 'home'],
  'list.undo': ['u'],
  'list.redo': ['ctrl+r'],
  'conversation.read': ['U'],
  'conversation.name': ['c w'],
  'conversation.delete': ['d d'],
  'conversation.person': ['K'],

  'message.first': ['g g', 'home'],
  'message.nextDay': ['}'],
  'message.previousDay': ['{'],
  'message.more': ['z o'],
  'message.less': ['z c'],
  'message.raw': ['z r'],
  'find.here': ['/'],
  'message.goToQuoted': ['g d', 'Q'],
  'message.openLink': ['g x', 'o'],
  'message.react': ['g r'],
  'message.reactNth': digits.map((digit) => `g ${digit}`),
  'message.edit': ['e', 'c c'],
  'message.delete': ['d d'],
  'message.details': ['K'],
  'message.copy': ['y y'],
  'message.takeBack': ['u'],

  'sheet.top': ['home', 'g g'],
};
