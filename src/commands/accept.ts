/** Says for each overlay with a text field or rows what Enter does and which rows it has. */
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { attachPrompt } from './attach.ts';
import type { CommandContext } from './context.ts';
import { forwardPrompt } from './forward.ts';
import { datePrompt } from './go-to-date.ts';
import { helpList } from './help-list.ts';
import { menuBehaviour } from './menus.ts';
import { messageSearch } from './message-search.ts';
import { newConversation } from './new-conversation.ts';
import { ownName, ownNote } from './own-name.ts';
import type { Palette } from './palette.ts';
import { reactionPicker } from './react.ts';
import { savePrompt } from './save-messages.ts';
import { sentTexts } from './sent-texts.ts';
import { settingsScreen, settingValue } from './settings.ts';
import { tokenPrompt } from './sign-in.ts';
import { snippetName } from './snippets.ts';
import { switcher } from './switcher.ts';

/** `Shown` is the overlay's part of the state. Overlays without rows and without Enter are not in the table. */
interface Behaviour<Shown> {
  /** The rows to choose from, by the ids that they are drawn with. */
  rowIds?(state: AppState, shown: Shown, palette: Palette): readonly string[];
  /** Carries out what was typed or selected. */
  accept?(context: CommandContext, shown: Shown, palette: Palette): void;
}

type Behaviours = { readonly [Kind in Overlay['kind']]?: Behaviour<Extract<Overlay, { kind: Kind }>> };

const behaviours: Behaviours = {
  'reaction-picker': reactionPicker,
  'message-search': messageSearch,
  'new-conversation': newConversation,
  'own-name': ownName,
  attach: attachPrompt,
  'own-note': ownNote,
  'go-to-date': datePrompt,
  token: tokenPrompt,
  switcher,
  help: helpList,
  'sent-texts': sentTexts,
  'snippet-name': snippetName,
  'save-messages': savePrompt,
  'export-conversation': savePrompt,
  settings: settingsScreen,
  'setting-value': settingValue,
  menu: menuBehaviour,
  forward: forwardPrompt,
  links: { rowIds: (_, { links }) => links.addresses.map(({ href }) => href) },
};

const behaviourOf = (overlay: Overlay): Behaviour<Overlay> | undefined => behaviours[overlay.kind];

/** The rows of the top overlay; none where it has none. */
export function rowIds(state: AppState, palette: Palette): readonly string[] {
  const top = topOverlay(state);
  return top === null ? [] : (behaviourOf(top)?.rowIds?.(state, top, palette) ?? []);
}

export function accept(context: CommandContext, palette: Palette): void {
  const top = topOverlay(context.get());
  if (top !== null) behaviourOf(top)?.accept?.(context, top, palette);
}
