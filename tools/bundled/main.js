#!/usr/bin/env node
'use strict'
const required = 20
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `orch needs Node ${required} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  )
  process.exit(1)
}
const { load, keepCode } = require('../load-cached.cjs')

// The same as kernel/main.ts, for the bundled program. Code from a cache cannot use `import()`, so this file does it. It is CommonJS
// because Node starts faster without loading its support for ES modules.
const { runBinary, importWith } = load('program.cjs')
importWith(url => import(url))
if (process.argv[2] === 'envtest') delayIncrementalMarking()
// When a server ends, it has run the code that the next one will run first.
const isServer = ['serve', 'envtest'].includes(process.argv[2])
void runBinary().then(() => isServer && keepCode())

/**
 * While a program starts, its heap only grows, and incremental marking takes a seventh of the CPU of the start; test suites start
 * many servers. Marking is enabled again after five seconds. (The flag only decides whether marking may begin, so it can be changed
 * at any time.)
 */
function delayIncrementalMarking() {
  const { setFlagsFromString } = require('node:v8')
  setFlagsFromString('--no-incremental-marking')
  setTimeout(() => setFlagsFromString('--incremental-marking'), 5000).unref()
}
