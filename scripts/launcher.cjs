#!/usr/bin/env node
// Parses on any Node, says when it is too old, and starts the program from compiled code that an earlier run has left.
var want = '__MSG_TUI_NODE__'.split('.').map(Number);
var have = process.versions.node.split('.').map(Number);
if (have[0] < want[0] || (have[0] === want[0] && have[1] < want[1])) {
  console.error('msg-tui needs Node >= ' + want.slice(0, 2).join('.') + ', this is ' + process.versions.node);
  process.exit(1);
}

process.env.NODE_ENV = 'production';
var v8 = require('node:v8');
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

var fs = require('node:fs');
var path = require('node:path');
var vm = require('node:vm');

/** V8 checks that what it is given belongs to this source, version and set of flags, and says so when it does not. */
function codeFile() {
  var base = process.env.XDG_CACHE_HOME;
  if (process.platform === 'win32') base = process.env.LOCALAPPDATA;
  else if (!base || !path.isAbsolute(base)) base = process.env.HOME ? path.join(process.env.HOME, '.cache') : '';
  return base ? path.join(base, 'msg-tui', 'code-__MSG_TUI_BUILD__-' + process.version + '-' + process.arch) : null;
}

function readCode(file) {
  try {
    return file === null ? undefined : fs.readFileSync(file);
  } catch (_) {
    return undefined;
  }
}

function writeCode(file, script) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    var temporary = file + '.' + process.pid;
    fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch (_) {
    // The next start takes a little longer, that is all.
  }
}

var main = path.join(__dirname, 'main.cjs');
var file = codeFile();
var code = readCode(file);
var source = fs.readFileSync(main, 'latin1');
var script = new vm.Script('(function (exports, require, module, __filename, __dirname, __load) {' + source + '\n})', {
  filename: main,
  cachedData: code,
});

/** Code that comes from the cache cannot import by itself. */
function load(name) {
  return import(name);
}
// Compiled code is kept once the functions that a start needs have run, and again with those that a person has used.
if (file !== null && (code === undefined || script.cachedDataRejected))
  setTimeout(function () {
    writeCode(file, script);
    process.on('exit', function () {
      writeCode(file, script);
    });
  }, 4000).unref();
code = undefined;
script.runInThisContext()(exports, require, module, main, __dirname, load);
