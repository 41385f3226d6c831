#!/usr/bin/env node
import 'reflect-metadata'
import { runCommandLine } from './commands/run-command-line.js'
import { thisProcess } from './commands/this-process.js'

// The store and its backups hold secrets: whatever this process writes is for its owner alone.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
