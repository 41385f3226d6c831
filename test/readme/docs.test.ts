import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../e2e/find-program.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { commandsToRun, filesIn } from './readme-blocks.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folderOfPages = join(root, 'docs')
const pages = readdirSync(folderOfPages).filter(name => name.endsWith('.md'))
const textOf = (page: string) => readFileSync(join(folderOfPages, page), 'utf8')
const run = promisify(execFile)
const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2022',
  skipLibCheck: true,
  types: ['node'],
}

/** A folder with the files of every page, each in a folder of its own, in which orch is installed. */
function readerFolder() {
  const folder = temporaryFolder()
  const at = (...parts: string[]) => join(folder.path, ...parts)
  mkdirSync(at('node_modules'))
  mkdirSync(at('bin'))
  symlinkSync(root, at('node_modules/orch'))
  for (const name of ['@types', 'jiti']) symlinkSync(join(root, 'node_modules', name), at('node_modules', name))
  writeFileSync(at('package.json'), '{"type":"module"}')
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }))
  writeFileSync(at('bin/orch'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/kernel/main.js')}' "$@"\n`)
  chmodSync(at('bin/orch'), 0o755)
  for (const page of pages) {
    mkdirSync(at(page))
    for (const [name, code] of filesIn(textOf(page))) writeFileSync(at(page, name), code)
  }
  return folder
}
async function inReaderFolder(test: (path: string) => Promise<unknown>): Promise<void> {
  const folder = readerFolder()
  try {
    await test(folder.path)
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    assert.unreachable(`${message}\n${stdout}\n${stderr}`)
  } finally {
    folder.remove()
  }
}

const docs = suite('the pages of docs')

docs('show code that compiles', () =>
  inReaderFolder(path => run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: path })),
)

docs('link to files that exist', () => {
  const broken = pages.flatMap(page =>
    [...textOf(page).matchAll(/\]\(([^)#:]+)\)/g)]
      .map(([, target = '']) => join(dirname(join(folderOfPages, page)), target))
      .filter(target => !existsSync(target)),
  )
  assert.equal(broken, [])
})

for (const page of pages) {
  const tests = [...filesIn(textOf(page)).keys()].filter(name => name.endsWith('.test.ts'))
  for (const name of tests)
    docs(`${page} shows a test that passes`, () =>
      inReaderFolder(path => {
        const jiti = join(root, 'node_modules/jiti/lib/jiti-cli.mjs')
        return run(process.execPath, [jiti, name], { cwd: join(path, page), timeout: 60_000 })
      }),
    )
  const commands = commandsToRun(textOf(page))
  if (commands !== '' && findProgram('curl'))
    docs(`${page} shows commands that work`, () =>
      inReaderFolder(async path => {
        const isAboutServer = commands.includes('$SERVER')
        const server = isAboutServer ? await startOrch() : undefined
        const env = {
          ...process.env,
          PATH: `${join(path, 'bin')}${delimiter}${process.env['PATH']}`,
          ...(server ? { SERVER: server.url, DATA: server.dataDir } : {}),
        }
        const options = { cwd: join(path, page), env, timeout: 80_000 }
        await run('bash', ['-euo', 'pipefail', '-c', commands], options).finally(() => server?.stop())
      }),
    )
}

docs.run()
