#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'

/**
 * A credential plugin: the client runs it, passes its request in an environment variable, and reads a credential
 * from its standard output. This one has a token per server in a file, and prompts the user if there is none.
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
    throw new Error('this program must be run from a client config: see its README.md')
  const server = wanted.spec.cluster?.server ?? ''
  const token = (await storedToken(tokenFile, server)) ?? (await ask(server, wanted.spec.interactive))
  const answer = {
    apiVersion: wanted.apiVersion,
    kind: 'ExecCredential',
    // The client caches the token until then.
    status: { token, expirationTimestamp: new Date(Date.now() + 300_000).toISOString() },
  }
  process.stdout.write(JSON.stringify(answer))
}

/** Tokens are stored as a JSON object: server → token. */
async function storedToken(path: string, server: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Record<string, string>)[server]
  } catch {
    return undefined
  }
}

async function ask(server: string, isInteractive: boolean): Promise<string> {
  if (!isInteractive) throw new Error(`no token for ${server}, and no terminal to prompt for one`)
  // Prompts go to stderr, because stdout has the credential.
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
