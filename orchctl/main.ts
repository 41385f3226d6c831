#!/usr/bin/env node
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { exitCodes } from './exit-codes.js'
import { run } from './run.js'

const requiredNode = 20
if (Number.parseInt(process.versions.node, 10) < requiredNode) {
  process.stderr.write(`orchctl needs Node ${requiredNode} or newer, and this is Node ${process.versions.node}\n`)
  process.exit(exitCodes.failed)
}

// By package name, because the bundled file is at another depth.
const { version } = createRequire(import.meta.url)('orch/package.json') as { version: string }
const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
  // Work that ignores the signal must not delay the exit; a second Ctrl-C exits at once anyway.
  setTimeout(() => process.exit(exitCodes.interrupted), 1_000).unref()
})
// A closed pipe (`| head`) is not an error.
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
  log: line => process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY ? { overwrite: (line: string) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
  streams: () => ({ input: process.stdin, output: process.stdout, error: process.stderr }),
  readLine: () =>
    new Promise(resolve => {
      const lines = createInterface({ input: process.stdin })
      let answer = ''
      lines.once('line', line => {
        answer = line
        lines.close()
      })
      lines.once('close', () => resolve(answer))
    }),
  async readInput() {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  },
})
