/** A single-line text field for overlays: ink-text-input fed by the program's own keyboard reader. */
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { Text } from './text.tsx';

interface PromptProps {
  readonly label: SafeText;
  readonly value: string;
  readonly placeholder?: SafeText;
  readonly isSecret?: boolean;
  readonly hasFocus: boolean;
  readonly onChange: (value: string) => void;
}

export function Prompt({ label, value, placeholder = literal(''), isSecret = false, hasFocus, onChange }: PromptProps) {
  return (
    <Box height={1} flexShrink={0} overflow="hidden">
      <Text bold>{safe`${label} `}</Text>
      <TextInput
        value={value}
        placeholder={placeholder}
        focus={hasFocus}
        onChange={(next) => onChange(sanitizeLine(next))}
        {...(isSecret ? { mask: '*' } : {})}
      />
    </Box>
  );
}
