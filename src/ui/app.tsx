/** The root: panes by the layout, overlays by the stack. */
import { Box } from 'ink';
import type { Overlay } from '../state/model/app-state.ts';
import type { PaneName } from '../view/layout.ts';
import { ConfirmDialog } from './overlays/confirm.tsx';
import { HelpOverlay } from './overlays/help.tsx';
import { LinksDialog } from './overlays/links.tsx';
import { MessageSearchDialog } from './overlays/message-search.tsx';
import { NewConversation } from './overlays/new-conversation.tsx';
import { OwnNamePrompt } from './overlays/own-name.tsx';
import { ReactionPicker } from './overlays/reaction-picker.tsx';
import { SameAccountDialog } from './overlays/same-account.tsx';
import { SwitcherDialog } from './overlays/switcher.tsx';
import { TokenPrompt } from './overlays/token.tsx';
import { UnsureDialog } from './overlays/unsure.tsx';
import { useApp } from './store-context.ts';
import { Surface } from './surface.tsx';

const paneNames: readonly PaneName[] = ['header', 'list', 'thread', 'composer', 'footer'];

export function App() {
  const size = useApp((state) => state.view.size);
  const overlays = useApp((state) => state.view.overlays);
  return (
    <Box width={size.columns} height={size.rows}>
      {paneNames.map((pane) => (
        <Surface key={pane} pane={pane} />
      ))}
      {overlays.map((overlay, index) => (
        <OverlayView key={overlay.kind} overlay={overlay} isTop={index === overlays.length - 1} />
      ))}
    </Box>
  );
}

function OverlayView({ overlay, isTop }: { readonly overlay: Overlay; readonly isTop: boolean }) {
  switch (overlay.kind) {
    case 'help':
      return <HelpOverlay overlay={overlay} />;
    case 'confirm':
      return <ConfirmDialog overlay={overlay} />;
    case 'react':
      return <ReactionPicker overlay={overlay} isTop={isTop} />;
    case 'new-conversation':
      return <NewConversation overlay={overlay} isTop={isTop} />;
    case 'message-search':
      return <MessageSearchDialog overlay={overlay} isTop={isTop} />;
    case 'switcher':
      return <SwitcherDialog overlay={overlay} isTop={isTop} />;
    case 'name':
      return <OwnNamePrompt overlay={overlay} isTop={isTop} />;
    case 'token':
      return <TokenPrompt overlay={overlay} isTop={isTop} />;
    case 'same-account':
      return <SameAccountDialog overlay={overlay} />;
    case 'links':
      return <LinksDialog overlay={overlay} />;
    case 'unsure':
      return <UnsureDialog overlay={overlay} />;
  }
}
