/** `npm start`: prepares the checkout, then becomes the program with the same arguments and the same terminal. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
const child = spawn(process.execPath, [join(root, 'dist/msg-tui.cjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends these to the whole foreground group; the program decides what they mean.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => {});
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
