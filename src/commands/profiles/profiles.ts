/** The key profiles: what each changes in the keys of the command table. */
import type { KeyProfile } from '../../state/model/key-settings.ts';
import type { KeyOverrides } from '../keymap.ts';
import { emacsKeys } from './emacs.ts';
import { vimKeys } from './vim.ts';

export const profileKeys: Readonly<Record<KeyProfile, KeyOverrides>> = {
  standard: {},
  vim: vimKeys,
  emacs: emacsKeys,
};

export const profileNames = Object.keys(profileKeys) as readonly KeyProfile[];
