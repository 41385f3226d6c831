#!/usr/bin/env node
import loadCached from '../load-cached.cjs'

// The same as kernel/main.ts, for the bundled program. Code that comes from a cache cannot import, so this file does it.
const { runBinary, importWith } = loadCached.load('program.cjs')
importWith(url => import(url))
await runBinary()
