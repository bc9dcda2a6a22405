/** The floor for one key on Node: raw mode, and every chunk that is read is written back. */
process.stdin.setRawMode(true);
process.stdout.write('\x1b[?1049h\x1b[H\x1b[2JREADY\r\n');
process.stdin.on('data', (bytes: Buffer) => {
  if (bytes[0] === 0x15) process.stdout.write('\r\x1b[K');
  else if (bytes[0] === 4) process.exit(0);
  else process.stdout.write(bytes);
});
