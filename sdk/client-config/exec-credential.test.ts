import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orchProfile, Vendor } from '../plugin/vendor.js'
import { ApiError } from '../resource/api-errors.js'
import { fakeClock } from '../testing/fake-clock.js'
import { testAuthority } from '../testing/test-certificates.js'
import type { ExecEntry } from './config-file.js'
import { execCredential } from './exec-credential.js'

const vendor = new Vendor({
  ...orchProfile,
  groupDomain: 'acme.test',
  env: { execInfo: 'ACME_EXEC_INFO', clientConfig: 'ACMECONFIG' },
})
const v1 = 'client.authentication.acme.test/v1'

/** A plugin that records each call and prints the contents of `answer`. */
async function withPlugin(
  exec: Partial<ExecEntry>,
  test: (plugin: {
    source: ReturnType<typeof execCredential>
    clock: ReturnType<typeof fakeClock>
    answer: (status: unknown, apiVersion?: string) => Promise<void>
    calls: () => Promise<Record<string, string>[]>
  }) => Promise<void>,
  isTerminal = false,
) {
  const folder = await mkdtemp(join(tmpdir(), 'exec-credential-'))
  const at = (name: string) => join(folder, name)
  const script = `#!${process.execPath}
const fs = require('fs')
const env = { info: process.env.ACME_EXEC_INFO, extra: process.env.EXTRA, home: process.env.FROM_PARENT, args: process.argv.slice(2).join(' ') }
fs.appendFileSync(${JSON.stringify(at('calls'))}, JSON.stringify(env) + '\\n')
process.stdout.write(fs.readFileSync(${JSON.stringify(at('answer'))}))
`
  try {
    await writeFile(at('plugin.cjs'), script)
    await chmod(at('plugin.cjs'), 0o755)
    await writeFile(at('calls'), '')
    const clock = fakeClock()
    const source = execCredential({
      exec: { command: at('plugin.cjs'), apiVersion: v1, interactiveMode: 'IfAvailable', ...exec },
      vendor,
      clock,
      environment: { PATH: process.env['PATH'], FROM_PARENT: 'yes', EXTRA: 'overridden' },
      cluster: { server: 'https://a' },
      isTerminal,
    })
    const answer = (status: unknown, apiVersion = v1) =>
      writeFile(at('answer'), JSON.stringify({ apiVersion, kind: 'ExecCredential', status }))
    const calls = async () =>
      (await readFile(at('calls'), 'utf8'))
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, string>)
    await test({ source, clock, answer, calls })
  } finally {
    await rm(folder, { recursive: true })
  }
}
async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    assert.instance(error, ApiError)
    assert.is((error as ApiError).code, 401)
    return (error as ApiError).message
  }
  throw new Error('expected a failure')
}

const plugins = suite('credential plugins')

plugins('receive their arguments, their environment and the request', async () => {
  const exec = { args: ['a', 'b c'], env: [{ name: 'EXTRA', value: 'x' }], provideClusterInfo: true }
  await withPlugin(exec, async ({ source, answer, calls }) => {
    await answer({ token: 'one' })
    assert.equal(await source.current(), { token: 'one' })
    const [call] = await calls()
    assert.equal([call?.['extra'], call?.['home'], call?.['args']], ['x', 'yes', 'a b c'])
    assert.equal(JSON.parse(call?.['info'] ?? ''), {
      kind: 'ExecCredential',
      apiVersion: v1,
      spec: { cluster: { server: 'https://a' }, interactive: false },
    })
  })
})
plugins('receive no cluster information unless they request it', async () => {
  await withPlugin({}, async ({ source, answer, calls }) => {
    await answer({ token: 'one' })
    await source.current()
    assert.equal(JSON.parse((await calls())[0]?.['info'] ?? '').spec, { interactive: false })
  })
})
plugins('run once for many requests, and again after expiry', async () => {
  await withPlugin({}, async ({ source, clock, answer, calls }) => {
    await answer({ token: 'one', expirationTimestamp: new Date(clock.now() + 60_000).toISOString() })
    await Promise.all([source.current(), source.current(), source.current()])
    await clock.advance(59_000)
    await source.current()
    assert.is((await calls()).length, 1)
    await clock.advance(1_000)
    await answer({ token: 'two' })
    assert.equal(await source.current(), { token: 'two' })
    await clock.advance(1e9)
    await source.current()
    assert.is((await calls()).length, 2, 'without expiry it lasts')
  })
})
plugins('run again after a 401, but only for the credential that was refused', async () => {
  await withPlugin({}, async ({ source, answer, calls }) => {
    await answer({ token: 'one' })
    const first = await source.current()
    await answer({ token: 'two' })
    assert.ok(await source.refused(first))
    assert.equal(await source.current(), { token: 'two' })
    assert.ok(await source.refused(first), 'a late 401 for the old one')
    await source.current()
    assert.is((await calls()).length, 2)
  })
})
plugins('may return a certificate with its key', async () => {
  await withPlugin({}, async ({ source, answer }) => {
    const { certificatePem, keyPem } = await (await testAuthority()).client('jane')
    await answer({ clientCertificateData: certificatePem, clientKeyData: keyPem })
    assert.equal(await source.current(), { clientCertificatePem: certificatePem, clientKeyPem: keyPem })
  })
})
plugins('that return a certificate with the key of another are rejected', async () => {
  await withPlugin({}, async ({ source, answer }) => {
    const authority = await testAuthority()
    const { certificatePem } = await authority.client('jane')
    const { keyPem } = await authority.client('jane')
    await answer({ clientCertificateData: certificatePem, clientKeyData: keyPem })
    assert.match(await failure(source.current()), 'the key is not that of the certificate')
  })
})
plugins('may use v1beta1', async () => {
  const v1beta1 = 'client.authentication.acme.test/v1beta1'
  await withPlugin({ apiVersion: v1beta1, interactiveMode: undefined }, async ({ source, answer }) => {
    await answer({ token: 'one' }, v1beta1)
    assert.equal(await source.current(), { token: 'one' })
  })
})
plugins('are told whether standard input is a terminal', async () => {
  const interactive = async (interactiveMode: string) => {
    let answered: unknown
    await withPlugin(
      { interactiveMode },
      async ({ source, answer, calls }) => {
        await answer({ token: 'one' })
        await source.current()
        answered = JSON.parse((await calls())[0]?.['info'] ?? '').spec.interactive
      },
      true,
    )
    return answered
  }
  assert.is(await interactive('Never'), false)
  assert.is(await interactive('IfAvailable'), true)
  assert.is(await interactive('Always'), true)
  await withPlugin({ interactiveMode: 'Always' }, async ({ source, calls }) => {
    assert.match(await failure(source.current()), 'standard input is not a terminal')
    assert.is((await calls()).length, 0)
  })
})
plugins('that are not installed cause an error with the install hint', async () => {
  await withPlugin({ command: '/nowhere/login', installHint: 'try: brew install login' }, async ({ source }) => {
    const message = await failure(source.current())
    assert.match(message, 'executable /nowhere/login not found')
    assert.match(message, 'try: brew install login')
  })
})
plugins('that fail are reported with their exit code', async () => {
  await withPlugin({ command: process.execPath, args: ['-e', 'process.exit(7)'] }, async ({ source }) => {
    assert.match(await failure(source.current()), 'failed with exit code 7')
  })
})

const answers: Record<string, [status: unknown, apiVersion: string, message: RegExp]> = {
  'nothing useful': [{}, v1, /didn't return a token or cert\/key pair/],
  'no status': [undefined, v1, /didn't return a status field/],
  'a certificate without a key': [{ clientCertificateData: 'hunter2' }, v1, /only certificate or key, not both/],
  'another version': [{ token: 'hunter2' }, 'client.authentication.acme.test/v1beta1', /expected client\.auth/],
  'an invalid certificate': [{ clientCertificateData: 'hunter2', clientKeyData: 'hunter2' }, v1, /not PEM/],
  'a time in another format': [{ token: 'hunter2', expirationTimestamp: '2030-01-01' }, v1, /RFC 3339/],
  'an invalid time': [{ token: 'hunter2', expirationTimestamp: 'soon' }, v1, /RFC 3339/],
  'a token that is not a string': [{ token: 7 }, v1, /status\.token is not a string/],
}
for (const [what, [status, apiVersion, message]] of Object.entries(answers))
  plugins(`that return ${what} are rejected without quoting them`, async () => {
    await withPlugin({}, async ({ source, answer }) => {
      await answer(status, apiVersion)
      const text = await failure(source.current())
      assert.match(text, message)
      assert.not.match(text, 'hunter2')
    })
  })
plugins.run()
