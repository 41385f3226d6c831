#!/usr/bin/env node
import 'reflect-metadata'
import { runBinary } from './commands/this-process.js'

await runBinary()
