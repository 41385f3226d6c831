import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../kernel/boot/load-module.js'
import { nameProblem, pluginNames } from '../../plugins/authoring/plugin-names.js'
import { programFor } from '../support/orch-program.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const orch = (cwd: string, ...words: string[]) =>
  run(process.execPath, [programFor([]), ...words], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, out: stdout as string, err: stderr as string }),
  )

/** The output of `orch plugins` for the plugin of each kind. */
const kinds: Readonly<Record<string, readonly RegExp[]>> = {
  resource: [/resources +gardengnomes\.example\.com \(v1\)/, /GardenGnomeLimit/, /controllers +garden-gnome-loop/],
  admission: [/GardenGnomeOwner/],
  controller: [/controllers +garden-gnome-loop/],
  authenticator: [/authenticators +garden-gnomes/],
  authorizer: [/authorizers +GardenGnome/],
  route: [/\/garden-gnomes/],
}

interface World {
  /** Has a folder for each kind with a new plugin, and the packages that `npm install` would install. */
  folder: Folder
}
const scaffold = suite<World>('orch new plugin')

scaffold.before(async world => {
  world.folder = temporaryFolder()
  const { path } = world.folder
  mkdirSync(join(path, 'node_modules'))
  symlinkSync(packageRoot, join(path, 'node_modules/orch'))
  for (const name of ['jiti', '@types'])
    symlinkSync(join(packageRoot, 'node_modules', name), join(path, 'node_modules', name))
  for (const kind of Object.keys(kinds)) {
    const { code, out, err } = await orch(path, 'new', 'plugin', 'garden-gnomes', '--dir', kind, '--kind', kind)
    assert.equal([code, err], [0, ''])
    assert.match(out, `Wrote ${readdirSync(join(path, kind)).length} files to ${kind}`)
  }
})
scaffold.after(world => world.folder.remove())

scaffold('writes plugins that compile', async ({ folder: { path, write } }) => {
  const settings = Object.keys(kinds).map(kind => readFileSync(join(path, kind, 'tsconfig.json'), 'utf8'))
  assert.is(new Set(settings).size, 1, 'they have the same compiler options, so one compiler run is enough')
  write('tsconfig.json', JSON.stringify({ extends: './resource/tsconfig.json', include: ['*/*.ts'] }))
  const { stdout } = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: path }).catch(
    (error: { stdout: string }) => error,
  )
  assert.is(stdout, '')
})

// The test of a type runs in test/packed/installed.test.ts, with conformance.
scaffold('writes plugins that pass their tests', async ({ folder: { path, write } }) => {
  const others = Object.keys(kinds).filter(kind => kind !== 'resource')
  write('all.test.ts', others.map(kind => `import './${kind}/plugin.test.js'\n`).join(''))
  const jiti = join(packageRoot, 'node_modules/jiti/lib/jiti-cli.mjs')
  const { stdout } = await run(process.execPath, [jiti, 'all.test.ts'], { cwd: path })
  assert.match(stdout, new RegExp(`pass ${others.length}\\b`))
})

scaffold('writes a package that finds this clone', ({ folder: { path } }) => {
  const { scripts, devDependencies } = JSON.parse(readFileSync(join(path, 'resource/package.json'), 'utf8'))
  assert.is(scripts.test, 'jiti plugin.test.ts')
  const [protocol, source] = devDependencies.orch.split(':')
  assert.equal([protocol, resolve(realpathSync(join(path, 'resource')), source)], ['file', packageRoot])
})

for (const [kind, brings] of Object.entries(kinds))
  scaffold(`writes a plugin of the kind ${kind} that runs`, async ({ folder }) => {
    const { code, out, err } = await orch(join(folder.path, kind), 'plugins')
    assert.equal([code, err], [0, ''])
    for (const one of brings) assert.match(out, one)
  })

scaffold('lists the existing kinds', async () => {
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

scaffold('rejects a folder that is not empty, and invalid names', async () => {
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
  assert.is(nameProblem('gadgets'), undefined)
  assert.match(nameProblem('a'.repeat(50)) ?? '', /at most/)
})

scaffold.run()
