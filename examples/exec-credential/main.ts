#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'

/**
 * A credential plugin: the client runs it, tells it what it wants in an environment variable, and reads a credential
 * from its standard output. This one keeps a token per server in a file, and asks the person when it has none.
 */
interface ExecCredential {
  readonly apiVersion: string
  readonly kind: 'ExecCredential'
  readonly spec: { readonly interactive: boolean; readonly cluster?: { readonly server: string } }
}

async function main(): Promise<void> {
  const [tokenFile] = process.argv.slice(2)
  const wanted = JSON.parse(process.env['ORCH_EXEC_INFO'] ?? '{}') as Partial<ExecCredential>
  if (tokenFile === undefined || wanted.spec === undefined)
    throw new Error('run me from a client config: see README.md beside me')
  const server = wanted.spec.cluster?.server ?? ''
  const token = (await storedToken(tokenFile, server)) ?? (await ask(server, wanted.spec.interactive))
  const answer = {
    apiVersion: wanted.apiVersion,
    kind: 'ExecCredential',
    // The client keeps the token until then, and asks again.
    status: { token, expirationTimestamp: new Date(Date.now() + 300_000).toISOString() },
  }
  process.stdout.write(JSON.stringify(answer))
}

/** Tokens are kept as a JSON object: server → token. */
async function storedToken(path: string, server: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Record<string, string>)[server]
  } catch {
    return undefined
  }
}

async function ask(server: string, isInteractive: boolean): Promise<string> {
  if (!isInteractive) throw new Error(`no token for ${server}, and nobody to ask`)
  // Questions go to stderr: stdout belongs to the answer.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(`Token for ${server}: `)
  } finally {
    terminal.close()
  }
}

main().catch(error => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
})
