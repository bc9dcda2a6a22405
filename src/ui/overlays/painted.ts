/** Has the table of the overlays that are drawn from the state as rows, without a component. */
import type { AppState, Draft, Overlay } from '../../state/model/app-state.ts';
import { selectField } from '../../state/search/edit-field.ts';
import type { DrawnDialog } from '../../view/dialog.ts';
import { type DialogContext, drawPicker, type Picker } from '../../view/picker.ts';
import { forwardPicker } from './forward.ts';
import { helpPicker } from './help.ts';
import { linksDialog } from './links.ts';
import { menuDialog } from './menu.ts';
import { messageSearchPicker } from './message-search.ts';
import { newConversationPicker } from './new-conversation.ts';
import { reactionPicker } from './reaction-picker.ts';
import { sentTextsPicker } from './sent-texts.ts';
import { settingsDialog } from './settings.ts';
import { switcherPicker } from './switcher.ts';

/** @param draft the draft of the overlay's text field; null where another overlay has the keyboard */
type Draw<Shown> = (overlay: Shown, state: AppState, context: DialogContext, draft: Draft | null) => DrawnDialog;

type PickerOverlay = Overlay & { readonly typed: string; readonly selected: number };

const picker =
  <Shown extends PickerOverlay>(
    pickerOf: (overlay: Shown, state: AppState, context: DialogContext) => Picker,
  ): Draw<Shown> =>
  (overlay, state, context, draft) => {
    const { typed, selected } = overlay;
    return drawPicker(pickerOf(overlay, state, context), { typed, selected, draft }, state.screen.size, context.look);
  };

const painted = {
  help: picker(helpPicker),
  switcher: picker(switcherPicker),
  'new-conversation': picker(newConversationPicker),
  forward: picker(forwardPicker),
  'reaction-picker': picker(reactionPicker),
  'message-search': picker(messageSearchPicker),
  'sent-texts': picker(sentTextsPicker),
  menu: menuDialog,
  links: linksDialog,
  settings: settingsDialog,
} as const satisfies { readonly [Kind in Overlay['kind']]?: Draw<Extract<Overlay, { kind: Kind }>> };

export type PaintedOverlay = Extract<Overlay, { kind: keyof typeof painted }>;

export const isPainted = (overlay: Overlay): overlay is PaintedOverlay => overlay.kind in painted;

export function drawOverlay(
  overlay: PaintedOverlay,
  isTop: boolean,
  state: AppState,
  context: DialogContext,
): DrawnDialog {
  // The table has for each kind a function of that kind; the type of a lookup does not say so.
  const draw = painted[overlay.kind] as Draw<Overlay>;
  return draw(overlay, state, context, isTop ? selectField(state) : null);
}
