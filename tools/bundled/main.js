#!/usr/bin/env node
'use strict'
const { load, keepCode } = require('../load-cached.cjs')

// The same as kernel/main.ts, for the bundled program. Code that comes from a cache cannot import, so this file does it. It is no
// module itself: Node would load what it needs for those.
const { runBinary, importWith } = load('program.cjs')
importWith(url => import(url))
// A server that ends has run what the next one will run first.
const isServer = ['serve', 'envtest'].includes(process.argv[2])
void runBinary().then(() => isServer && keepCode())
