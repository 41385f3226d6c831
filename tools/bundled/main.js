#!/usr/bin/env node
'use strict'
const required = 20
if (Number.parseInt(process.versions.node, 10) < required) {
  process.stderr.write(
    `orch needs Node ${required} or newer, and this is Node ${process.versions.node}: install another from https://nodejs.org\n`,
  )
  process.exit(1)
}
const { load, keepCode } = require('../load-cached.cjs')

// The same as kernel/main.ts, for the bundled program. Code that comes from a cache cannot import, so this file does it. It is no
// module itself: Node would load what it needs for those.
const { runBinary, importWith } = load('program.cjs')
importWith(url => import(url))
if (process.argv[2] === 'envtest') markLater()
// A server that ends has run what the next one will run first.
const isServer = ['serve', 'envtest'].includes(process.argv[2])
void runBinary().then(() => isServer && keepCode())

/**
 * While a program starts, its heap only grows, and marking what can go takes a seventh of the CPU of a start: suites start many
 * servers. After five seconds it is as ever. (Only whether marking may begin depends on this flag, so it can be changed at any time.)
 */
function markLater() {
  const { setFlagsFromString } = require('node:v8')
  setFlagsFromString('--no-incremental-marking')
  setTimeout(() => setFlagsFromString('--incremental-marking'), 5000).unref()
}
