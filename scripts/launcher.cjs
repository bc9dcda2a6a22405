#!/usr/bin/env node
// Parses on any Node, says when it is too old, and starts the program from compiled code that an earlier run has left.
var want = '__MSG_TUI_NODE__'.split('.').map(Number);
var have = process.versions.node.split('.').map(Number);
if (have[0] < want[0] || (have[0] === want[0] && have[1] < want[1])) {
  console.error('msg-tui needs Node >= ' + want.slice(0, 2).join('.') + ', this is ' + process.versions.node);
  process.exit(1);
}

process.env.NODE_ENV = 'production';
// Node carries its own modules with compiled code, which V8 refuses once a flag is set: those that a start needs come first.
var fs = require('node:fs');
var path = require('node:path');
var v8 = require('node:v8');
var vm = require('node:vm');
var zlib = require('node:zlib');
require('node:crypto');
require('node:module');
require('node:os');
require('node:perf_hooks');
require('node:timers/promises');
require('node:tty');

// A chat makes little garbage at a time: the young generation stays at its first size instead of growing to 16 MB.
v8.setFlagsFromString('--semi-space-growth-factor=1');
// The two small WebAssembly parts (layout, HTTP) are compiled as far as they are used, and once: 10 MB less.
v8.setFlagsFromString('--wasm-lazy-compilation');
v8.setFlagsFromString('--liftoff-only');
// What a burst of work leaves behind is tidied up once, which brings nearly all there is; by itself V8 goes through the
// whole heap up to three times. And half a minute later, not eight seconds, when somebody types what he came for.
if (have[0] === 20) v8.setFlagsFromString('--memory-reducer-single-gc');
if (have[0] >= 22) v8.setFlagsFromString('--memory-reducer-gc-count=1');
v8.setFlagsFromString(
  have[0] >= 26 ? '--memory-reducer-delay-ms=30000' : '--gc-memory-reducer-start-delay-ms=30000'
);

/**
 * `build` is a hash of the source. The name also holds the version of Node and the machine; V8 compares its own version and
 * flags as well, but of the source it compares the length alone, and it looks at the code itself not at all.
 */
function codeFile(kind, build) {
  var base = process.env.XDG_CACHE_HOME;
  if (process.platform === 'win32') base = process.env.LOCALAPPDATA;
  else if (!base || !path.isAbsolute(base)) base = process.env.HOME ? path.join(process.env.HOME, '.cache') : '';
  var machine = process.platform + '-' + process.arch;
  return base ? path.join(base, 'msg-tui', kind + '-' + build + '-' + process.version + '-' + machine) : null;
}

/** Nobody else can have written what these stats describe. Windows has no such owners; its folder belongs to the user. */
function isOurs(stats) {
  if (!process.geteuid) return true;
  return stats.uid === process.geteuid() && (stats.mode & 0o022) === 0;
}

/**
 * Compiled code runs before any other check, so it is neither read from nor written to a directory that somebody else
 * could have filled. Root also needs the directory above it to be root's: with `sudo -E` it is that of a user.
 */
function isPrivate(directory) {
  var stats = fs.lstatSync(directory);
  if (!stats.isDirectory() || !isOurs(stats)) return false;
  return !process.geteuid || process.geteuid() !== 0 || isOurs(fs.statSync(path.dirname(directory)));
}

/**
 * Eight bytes: V8 copies code whose place in memory is no multiple of eight. The name is there so that a copy of another version's file
 * does not match.
 */
function checksumsOf(file, code) {
  var sums = Buffer.alloc(checksumBytes);
  sums.writeUInt32LE(zlib.crc32(path.basename(file)), 0);
  sums.writeUInt32LE(zlib.crc32(code), 4);
  return sums;
}
var checksumBytes = 8;

/** Undefined without an error wherever there is no code that can be used: the start goes on and compiles what it needs. */
function readCode(file) {
  var descriptor;
  try {
    if (!isPrivate(path.dirname(file))) return undefined;
    // Neither flag exists on Windows. O_NONBLOCK: a pipe in place of the file would be waited for.
    var flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0) | (fs.constants.O_NONBLOCK || 0);
    descriptor = fs.openSync(file, flags);
    var stats = fs.fstatSync(descriptor);
    if (!stats.isFile() || !isOurs(stats)) throw new Error('written by somebody else');
    var bytes = fs.readFileSync(descriptor);
    var code = bytes.subarray(checksumBytes);
    // V8 ends the process by a signal when it is given damaged code, such as a power cut leaves behind.
    if (!bytes.subarray(0, checksumBytes).equals(checksumsOf(file, code))) throw new Error('damaged');
    return code;
  } catch (error) {
    if (error.code !== 'ENOENT') remove(file);
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Of a link, the link itself. */
function remove(file) {
  try {
    fs.unlinkSync(file);
  } catch (_) {
    // It is not there, or a directory is in its place: this version starts without compiled code.
  }
}

function writeCode(file, script) {
  var temporary = file + '.' + process.pid;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (!isPrivate(path.dirname(file))) return;
    // One may be left of a process that was killed here.
    remove(temporary);
    var code = script.createCachedData();
    var descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(descriptor, Buffer.concat([checksumsOf(file, code), code]));
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, file);
    removeOld(path.dirname(file));
  } catch (_) {
    // The next start takes a little longer, that is all.
    remove(temporary);
  }
}

var oldAfterMs = 30 * 24 * 3600 * 1000;

/** Every version of msg-tui and of Node has files of its own: 3 MB, which nothing reads once that version is gone. */
function removeOld(directory) {
  fs.readdirSync(directory).forEach(function (name) {
    var file = path.join(directory, name);
    var isOurKind = /^(code|http|ui)-[0-9a-f]{16}-v/.test(name);
    if (isOurKind && Date.now() - fs.lstatSync(file).mtimeMs > oldAfterMs) remove(file);
  });
}

/** Runs a file of this directory from the code that an earlier run has left, and returns what it exports. */
function run(name, kind, build) {
  var source = path.join(__dirname, name);
  var file = codeFile(kind, build);
  var code = file === null ? undefined : readCode(file);
  var script = new vm.Script(
    '(function (exports, require, module, __filename, __dirname, __load) {' + fs.readFileSync(source, 'latin1') + '\n})',
    { filename: source, cachedData: code }
  );
  // Compiled code is kept once the functions that a start needs have run, and again with those that a person has used.
  if (file !== null && (code === undefined || script.cachedDataRejected))
    setTimeout(function () {
      writeCode(file, script);
      process.on('exit', function () {
        writeCode(file, script);
      });
    }, 4000).unref();
  var module = { exports: {} };
  script.runInThisContext()(module.exports, requirePart, module, source, __dirname, load);
  return module.exports;
}

var http;
function requirePart(name) {
  if (name !== './http.cjs') return require(name);
  if (http === undefined) http = run('http.cjs', 'http', '__MSG_TUI_HTTP__');
  return http;
}

/** Code that comes from the cache cannot import by itself. */
function load(name) {
  if (name !== './ui.cjs') return import(name);
  return Promise.resolve().then(function () {
    return run('ui.cjs', 'ui', '__MSG_TUI_UI__');
  });
}

run('main.cjs', 'code', '__MSG_TUI_MAIN__');
