#!/usr/bin/env node
import { loadProgram } from '../load-program.js'

// The same as kernel/main.ts, for the bundled program.
const { runCommandLine, thisProcess } = loadProgram().exports
process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
