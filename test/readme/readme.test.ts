import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ApiError, createClient, httpTransport } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialsFile } from '../golden/server-flags.js'
import { rejects } from '../support/rejects.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { filesIn, firstCells } from './readme-blocks.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const text = readFileSync(join(root, 'README.md'), 'utf8')
const run = promisify(execFile)

/** A folder with the files of the README in it, in which `orch` is installed. */
function readerFolder() {
  const folder = temporaryFolder()
  for (const [name, code] of filesIn(text)) writeFileSync(join(folder.path, name), code)
  mkdirSync(join(folder.path, 'node_modules'))
  symlinkSync(root, join(folder.path, 'node_modules/orch'))
  symlinkSync(join(root, 'node_modules/@types'), join(folder.path, 'node_modules/@types'))
  return folder
}

const readme = suite('the README')

readme('shows a first plugin of about thirty lines', () => {
  const lines = filesIn(text).get('wishes.ts')?.trim().split('\n').length ?? 0
  assert.ok(lines >= 20 && lines <= 40, `${lines} lines`)
})

readme('shows code that compiles', async () => {
  const folder = readerFolder()
  try {
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
    }
    const config = { compilerOptions: options, include: ['*.ts'] }
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config))
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder.path })
  } catch (error) {
    assert.unreachable((error as { stdout?: string }).stdout ?? String(error))
  } finally {
    folder.remove()
  }
})

readme('shows a plugin that works', async () => {
  const folder = readerFolder()
  const tokens = join(root, 'test/golden/fixtures/tokens.csv')
  const { token } = JSON.parse(readFileSync(credentialsFile, 'utf8')).admin
  const server = await startOrch({ flags: ['--token-auth-file', tokens, '--tls=false'], workingDir: folder.path })
  const transport = httpTransport({ server: server.url, credentials: { token } })
  try {
    const client = createClient({ transport })
    const wishes = client
      .resource<{ metadata: { name: string }; spec: { text: string; priority?: string } }>({
        group: 'example.com',
        version: 'v1',
        resource: 'wishes',
      })
      .in('default')
    const made = await wishes.create({ metadata: { name: 'rain' }, spec: { text: 'some rain' } })
    assert.equal(made.spec, { text: 'some rain', priority: 'low' })
    const greedy = await rejects(wishes.create({ metadata: { name: 'all' }, spec: { text: 'everything' } }))
    assert.is((greedy as ApiError).code, 403)
    const empty = await rejects(wishes.create({ metadata: { name: 'none' }, spec: { text: '' } }))
    assert.is((empty as ApiError).code, 422)
    const { stdout } = await run(process.execPath, [join(root, 'dist/kernel/main.js'), 'plugins'], { cwd: folder.path })
    assert.match(stdout, 'ModestWishes')
  } finally {
    await transport.close()
    await server.stop()
    folder.remove()
  }
})

readme('names flags that exist', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'dist/kernel/main.js'), 'serve', '--help'], { cwd: root })
  const flags = firstCells(text, 'Configuration and flags')
  assert.ok(flags.length > 10)
  assert.equal(
    flags.filter(flag => !new RegExp(`^ *${flag}\\b`, 'm').test(stdout)),
    [],
  )
})

readme('names commands of the binary that exist', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'dist/kernel/main.js'), 'help'], { cwd: root })
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
