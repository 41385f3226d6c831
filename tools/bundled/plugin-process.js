'use strict'
// The same as kernel/plugin-process/main.ts, for the bundled program.
const { load } = require('../../load-cached.cjs')

const { runPluginProcess, importWith } = load('program.cjs')
importWith(url => import(url))
runPluginProcess()
