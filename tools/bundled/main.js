#!/usr/bin/env node
import { loadProgram } from '../load-program.js'

// The same as kernel/main.ts, for the bundled program.
process.umask(0o077)
const { runCommandLine, thisProcess } = loadProgram().exports
process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
