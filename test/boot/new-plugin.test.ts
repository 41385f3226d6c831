import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compiledRoot, packageRoot } from '../../kernel/boot/load-module.js'
import { pluginNames, whyNoName } from '../../plugins/authoring/plugin-names.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const orch = (cwd: string, ...words: string[]) =>
  run(process.execPath, [join(compiledRoot, 'kernel/main.js'), ...words], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, out: stdout as string, err: stderr as string }),
  )

/** A folder with a new plugin in it, as it is after `npm install`. */
async function withPlugin(test: (folder: string) => Promise<void>, ...more: string[]): Promise<void> {
  const { path, remove } = temporaryFolder()
  try {
    const { code, out, err } = await orch(path, 'new', 'plugin', 'garden-gnomes', '--dir', 'made', ...more)
    assert.equal([code, err], [0, ''])
    assert.match(out, /Wrote \d+ files to made/)
    const modules = join(path, 'made/node_modules')
    mkdirSync(modules)
    symlinkSync(packageRoot, join(modules, 'orch'))
    for (const name of ['jiti', '@types']) symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name))
    await test(join(path, 'made'))
  } finally {
    remove()
  }
}

const scaffold = suite('orch new plugin')

scaffold('writes a plugin that compiles, passes its tests and conformance, and runs', async () => {
  await withPlugin(async folder => {
    const compiled = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    )
    assert.is(compiled.stdout, '')
    const { scripts, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    assert.is(scripts.test, 'jiti plugin.test.ts')
    const [protocol, source] = devDependencies.orch.split(':')
    assert.equal(
      [protocol, resolve(realpathSync(folder), source)],
      ['file', packageRoot],
      'npm install finds this clone',
    )
    const jiti = join(packageRoot, 'node_modules/jiti/lib/jiti-cli.mjs')
    const tested = await run(process.execPath, [jiti, 'plugin.test.ts'], { cwd: folder })
    assert.match(tested.stdout, /pass 3\b/)
    const conformance = await orch(folder, 'conformance', './plugin.ts')
    assert.equal([conformance.code, conformance.err], [0, ''], conformance.out)
    const { code, out, err } = await orch(folder, 'plugins')
    assert.equal([code, err], [0, ''])
    assert.match(out, /resources +gardengnomes\.example\.com \(v1\)/)
    assert.match(out, /GardenGnomeLimit/)
    assert.match(out, /controllers +garden-gnome-loop/)
  })
})

for (const [kind, brings] of [
  ['admission', /GardenGnomeOwner/],
  ['controller', /controllers +garden-gnome-loop/],
  ['authenticator', /authenticators +garden-gnomes/],
  ['authorizer', /authorizers +GardenGnome/],
  ['route', /\/garden-gnomes/],
] as const)
  scaffold(`writes a plugin of the kind ${kind} that compiles, passes its tests, and runs`, () =>
    withPlugin(
      async folder => {
        const compiled = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).catch(
          (error: { stdout: string }) => error,
        )
        assert.is(compiled.stdout, '')
        const jiti = join(packageRoot, 'node_modules/jiti/lib/jiti-cli.mjs')
        const tested = await run(process.execPath, [jiti, 'plugin.test.ts'], { cwd: folder })
        assert.match(tested.stdout, /pass 1\b/)
        const { code, out, err } = await orch(folder, 'plugins')
        assert.equal([code, err], [0, ''])
        assert.match(out, brings)
      },
      '--kind',
      kind,
    ),
  )

scaffold('names the kinds that there are', async () => {
  const { path, remove } = temporaryFolder()
  try {
    const { code, err } = await orch(path, 'new', 'plugin', 'a', '--kind', 'house')
    assert.is(code, 2)
    for (const kind of ['resource', 'admission', 'controller', 'authenticator', 'authorizer', 'route'])
      assert.match(err, `  ${kind}: `)
    assert.equal(readdirSync(path), [])
  } finally {
    remove()
  }
})

scaffold('refuses a folder with something in it, and names that cannot be', async () => {
  const { path, remove } = temporaryFolder()
  try {
    mkdirSync(join(path, 'full/thing'), { recursive: true })
    const full = await orch(path, 'new', 'plugin', 'full')
    assert.equal([full.code, /is not empty/.test(full.err)], [2, true])
    for (const words of [[], ['plugin'], ['plugin', 'Big'], ['plugin', '../up'], ['house', 'a']]) {
      assert.is((await orch(path, 'new', ...words)).code, 2, words.join(' '))
    }
    assert.equal(readdirSync(path), ['full'])
  } finally {
    remove()
  }
})

const names = {
  gadgets: ['Gadget', 'gadgets'],
  box: ['Box', 'boxes'],
  boxes: ['Box', 'boxes'],
  policies: ['Policy', 'policies'],
  'garden-gnomes': ['GardenGnome', 'gardengnomes'],
  class: ['Class', 'classes'],
}
scaffold('finds the kind and the plural', () => {
  for (const [name, expected] of Object.entries(names)) {
    const { kind, resource } = pluginNames(name)
    assert.equal([kind, resource], expected, name)
  }
  assert.is(whyNoName('gadgets'), undefined)
  assert.match(whyNoName('a'.repeat(50)) ?? '', /at most/)
})

scaffold.run()
