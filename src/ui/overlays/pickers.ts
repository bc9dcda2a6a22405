/** The overlays that are drawn from the state as rows, without a component: one row for each. */
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import { selectField } from '../../state/search/edit-field.ts';
import type { DrawnDialog } from '../../view/dialog.ts';
import { drawPicker, type Picker, type PickerContext } from '../../view/picker.ts';
import { forwardPicker } from './forward.ts';
import { helpPicker } from './help.ts';
import { messageSearchPicker } from './message-search.ts';
import { newConversationPicker } from './new-conversation.ts';
import { reactionPicker } from './reaction-picker.ts';
import { sentTextsPicker } from './sent-texts.ts';
import { switcherPicker } from './switcher.ts';

export type PickerKind =
  | 'help'
  | 'switcher'
  | 'new-conversation'
  | 'forward'
  | 'reaction-picker'
  | 'message-search'
  | 'sent-texts';
export type PickerOverlay = Extract<Overlay, { kind: PickerKind }>;

type Pickers = {
  readonly [Kind in PickerKind]: (
    overlay: Extract<Overlay, { kind: Kind }>,
    state: AppState,
    context: PickerContext,
  ) => Picker;
};

const pickers: Pickers = {
  help: helpPicker,
  switcher: switcherPicker,
  'new-conversation': newConversationPicker,
  forward: forwardPicker,
  'reaction-picker': reactionPicker,
  'message-search': messageSearchPicker,
  'sent-texts': sentTextsPicker,
};

export const isPicker = (overlay: Overlay): overlay is PickerOverlay => overlay.kind in pickers;

export function drawOverlay(
  overlay: PickerOverlay,
  isTop: boolean,
  state: AppState,
  context: PickerContext,
): DrawnDialog {
  // The table has for each kind a function of that kind; the type of a lookup does not say so.
  const pickerOf = pickers[overlay.kind] as (...of: [Overlay, AppState, PickerContext]) => Picker;
  const { typed, selected } = overlay;
  const draft = isTop ? selectField(state) : null;
  return drawPicker(pickerOf(overlay, state, context), { typed, selected, draft }, state.screen.size, context.look);
}
