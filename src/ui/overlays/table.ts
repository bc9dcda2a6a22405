/** Has the table of the components that draw each kind of overlay. */
import type { ComponentType } from 'react';
import type { Overlay } from '../../state/model/app-state.ts';
import { AttachPrompt } from './attach.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { PaintedText } from './painted-text.tsx';
import { TextPrompt } from './prompts.tsx';
import { RebindDialog } from './rebind-dialog.tsx';
import { SameAccountDialog } from './same-account.tsx';
import { ExportPrompt, SaveMessagesPrompt } from './save-messages.tsx';
import { SettingValuePrompt } from './setting-value.tsx';
import { SheetDialog } from './sheet-dialog.tsx';
import { TokenPrompt } from './token.tsx';
import { UnsureDialog } from './unsure.tsx';

export interface OverlayViewProps<Shown extends Overlay> {
  readonly overlay: Shown;
  /** Whether the overlay is the last one of the stack, which has the keyboard. */
  readonly isTop: boolean;
}

type Views = { readonly [Kind in Overlay['kind']]: ComponentType<OverlayViewProps<Extract<Overlay, { kind: Kind }>>> };

export const overlayViews: Views = {
  help: PaintedText,
  rebind: RebindDialog,
  confirm: ConfirmDialog,
  'reaction-picker': PaintedText,
  'new-conversation': PaintedText,
  forward: PaintedText,
  'message-search': PaintedText,
  switcher: PaintedText,
  'own-name': TextPrompt,
  attach: AttachPrompt,
  'own-note': TextPrompt,
  details: SheetDialog,
  person: SheetDialog,
  notices: SheetDialog,
  'go-to-date': TextPrompt,
  token: TokenPrompt,
  'same-account': SameAccountDialog,
  links: PaintedText,
  menu: PaintedText,
  'sent-texts': PaintedText,
  'snippet-name': TextPrompt,
  'save-messages': SaveMessagesPrompt,
  'export-conversation': ExportPrompt,
  settings: PaintedText,
  'setting-value': SettingValuePrompt,
  unsure: UnsureDialog,
};
