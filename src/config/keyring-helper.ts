/**
 * The program of the process that asks the keyring, as a text: it runs in a Node process of its own, outside of the
 * bundle.
 */

/**
 * Runs the native call: on a bus that does not answer it never returns, and nothing but the end of its process stops it.
 * `linux.store`: without it the package falls back to the kernel's keyring, which is gone after the next boot.
 */
const call = `
const { parentPort, workerData: { module, entry, action, token } } = require('node:worker_threads');
try {
  const { Entry } = require(module);
  const held = new Entry('msg-tui', entry, { linux: { store: 'secret-service' } });
  if (action === 'set') held.setPassword(token);
  if (action === 'remove') held.deleteCredential();
  parentPort.postMessage({ token: action === 'remove' ? null : held.getPassword() });
} catch (error) {
  parentPort.postMessage({ problem: String(error && error.message) });
}`;

/** Reads one line of JSON and writes one. When its input ends, the caller is gone and the process ends as well. */
export const keyringHelper = `
const { Worker } = require('node:worker_threads');
const answer = (value) => process.stdout.write(JSON.stringify(value), () => process.exit());
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (part) => {
  text += part;
  if (!text.endsWith('\\n')) return;
  const worker = new Worker(${JSON.stringify(call)}, { eval: true, workerData: JSON.parse(text) });
  worker.once('message', answer);
  worker.once('error', (error) => answer({ problem: error.message }));
});
process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL'));`;
