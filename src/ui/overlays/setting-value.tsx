/** Asks for the value of a setting, and says while it is typed what is wrong with it. */
import type { Overlay } from '../../state/model/app-state.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { useUi } from '../store-context.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface SettingValueProps {
  readonly overlay: Extract<Overlay, { kind: 'setting-value' }>;
  readonly isTop: boolean;
}

export function SettingValuePrompt({ overlay, isTop }: SettingValueProps) {
  const { context } = useUi();
  const { id, typed } = overlay;
  const checked = context.settings.check(id, typed);
  const remark: SafeText =
    'problem' in checked
      ? safe`${sanitizeLine(checked.problem)}.`
      : typed.trim() === ''
        ? literal('Empty: the default applies.')
        : safe`${sanitizeLine(context.keyOf('prompt.accept'))} writes it to config.toml.`;
  return (
    <PromptDialog
      title={sanitizeLine(id)}
      label={literal('Value:')}
      value={typed}
      placeholder={literal('the default')}
      remark={remark}
      isTop={isTop}
    />
  );
}
