#!/usr/bin/env node
import { createRequire } from 'node:module'
import { exitCodes } from './exit-codes.js'
import { run } from './run.js'

// By name, because this file stands deeper in the package when it is bundled.
const { version } = createRequire(import.meta.url)('orch/package.json') as { version: string }
const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  // Whatever does not listen to the signal must not keep the person waiting; a second Ctrl-C ends it at once anyway.
  setTimeout(() => process.exit(exitCodes.interrupted), 1_000).unref()
})
// A reader that has seen enough (`| head`) is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(exitCodes.done)
    throw error
  })

process.exitCode = await run(process.argv.slice(2), {
  version,
  environment: process.env,
  isTerminal: process.stdout.isTTY === true,
  signal: interrupted.signal,
  write: text => process.stdout.write(text),
  tell: line => process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY ? { overwrite: (line: string) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
  async readInput() {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  },
})
