import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ApiError } from 'orch/sdk'
import { createClient, httpTransport } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialsFile } from '../golden/server-flags.js'
import { programFor } from '../support/orch-program.js'
import { rejects } from '../support/rejects.js'
import { startOrch } from '../support/start-orch.js'
import { blocksOf, firstCells } from './blocks.js'
import { aReader, root } from './reader.js'

const text = readFileSync(join(root, 'README.md'), 'utf8')
const run = promisify(execFile)

const filesOf = (markdown: string) => blocksOf(markdown).filter(({ file }) => file?.endsWith('.ts'))

const readme = suite('the README')

readme('shows a type of about thirty lines, and with a rule and a control loop it stays below a hundred', () => {
  const lines = filesOf(text).map(({ file, code }) => [file, code.trim().split('\n').length] as const)
  const first = lines.find(([file]) => file === 'wishes.ts')?.[1] ?? 0
  assert.ok(first >= 20 && first <= 40, `${first} lines`)
  const all = lines.reduce((sum, [, count]) => sum + count, 0)
  assert.ok(all < 100, `${all} lines`)
})

readme('shows a plugin that works', async () => {
  const reader = aReader('docs/README.md')
  for (const { file = '', code } of filesOf(text)) writeFileSync(join(reader.path, file), code)
  const tokens = join(root, 'test/golden/fixtures/tokens.csv')
  const { token } = JSON.parse(readFileSync(credentialsFile, 'utf8')).admin
  const server = await startOrch({ flags: ['--token-auth-file', tokens, '--tls=false'], workingDir: reader.path })
  const transport = httpTransport({ server: server.url, credentials: { token } })
  try {
    const client = createClient({ transport })
    const wishes = client
      .resource<{
        metadata: { name: string }
        spec: { text: string; priority?: string }
        status?: { granted?: boolean }
      }>({
        group: 'example.com',
        version: 'v1',
        resource: 'wishes',
      })
      .in('default')
    const made = await wishes.create({ metadata: { name: 'rain' }, spec: { text: 'some rain' } })
    assert.equal(made.spec, { text: 'some rain', priority: 'low' })
    await wishes.waitFor('rain', ({ status }) => status?.granted === true, { timeoutMs: 60_000 })
    for (const greedy of ['everything', '']) {
      const refused = await rejects(wishes.create({ metadata: { name: 'all' }, spec: { text: greedy } }))
      assert.is((refused as ApiError).code, 422)
      const changed = await rejects(wishes.patch('rain', { spec: { text: greedy } }))
      assert.is((changed as ApiError).code, 422)
    }
    const { stdout } = await run(process.execPath, [programFor([]), 'plugins'], { cwd: reader.path })
    assert.match(stdout, 'wish-granter')
  } finally {
    await transport.close()
    await server.stop()
    reader.remove()
  }
})

readme('names flags that exist', async () => {
  const { stdout } = await run(process.execPath, [programFor([]), 'serve', '--help'], { cwd: root })
  const flags = firstCells(text, 'Configuration and flags')
  assert.ok(flags.length > 10)
  assert.equal(
    flags.filter(flag => !new RegExp(`^ *${flag}\\b`, 'm').test(stdout)),
    [],
  )
})

readme('names commands of the binary that exist', async () => {
  const { stdout } = await run(process.execPath, [programFor([]), 'help'], { cwd: root })
  const commands = firstCells(text, 'Commands').map(cell => cell.split(' ')[1] ?? '')
  assert.ok(commands.includes('controllers'))
  assert.equal(
    commands.filter(name => !new RegExp(`^ +${name}\\b`, 'm').test(stdout)),
    [],
  )
})

readme('has a line for every dependency and none for another', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(firstCells(text, 'Dependencies').sort(), Object.keys({ ...dependencies, ...devDependencies }).sort())
})

readme('names commands that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/npm (?:run )?(test|start|golden|bench|api)\b/g)].map(([, name = '']) => name)
  assert.ok(named.length > 5)
  assert.equal(
    named.filter(name => !(name in scripts)),
    [],
  )
})

readme.run()
