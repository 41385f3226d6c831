#!/usr/bin/env node
import 'reflect-metadata'
import { runCommandLine } from './commands/run-command-line.js'
import { thisProcess } from './commands/this-process.js'

process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
