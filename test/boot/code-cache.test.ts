import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const cache = suite('the compiled code beside the bundled program')

/** Loads the program in a separate process, because it would share modules with this one. */
function load(flags: readonly string[] = [], folder = bundled, home?: string): string {
  const script = `import cached from '${pathToFileURL(join(folder, 'load-cached.cjs')).href}'
    const { runCommandLine } = cached.load('program.cjs')
    console.log(...['sdk/instance.cjs', 'program.cjs'].map(cached.isCacheRejected), typeof runCommandLine)
    ${home === undefined ? '' : 'cached.keepCode()'}`
  const words = [...flags, '--input-type=module', '--eval', script]
  const env = home === undefined ? process.env : { ...process.env, HOME: home }
  return spawnSync(process.execPath, words, { encoding: 'utf8', env }).stdout
}
const bundled = dirname(dirname(bundledProgram))

cache('is used by the Node that built it', () => {
  assert.is(load(), 'false false function\n')
})

cache('is ignored by a Node with other compiler flags, which runs the program anyway', () => {
  assert.is(load(['--stress-lazy-source-positions']), 'true true function\n')
})

cache('is written again for a Node that it was not built for, readable only by its owner', () => {
  const folder = temporaryFolder()
  try {
    const copy = join(folder.path, 'bundled')
    for (const name of ['load-cached.cjs', 'program.cjs', 'program.cache', 'sdk'])
      cpSync(join(bundled, name), join(copy, name), { recursive: true })
    const builtElsewhere = { build: 'b', compiledFor: 'v0.0.0-elsewhere' }
    writeFileSync(join(copy, 'build.json'), JSON.stringify(builtElsewhere))
    assert.is(load([], copy, folder.path), 'undefined undefined function\n', 'the cache of another Node is not used')
    assert.is(load([], copy, folder.path), 'false false function\n', 'the stored cache is used')
    const kept = join(folder.path, '.cache/orch/code')
    const [own = ''] = readdirSync(kept)
    assert.is(statSync(join(kept, own)).mode & 0o777, 0o700)
    for (const name of readdirSync(join(kept, own))) assert.is(statSync(join(kept, own, name)).mode & 0o777, 0o600)

    writeFileSync(join(copy, 'build.json'), JSON.stringify({ ...builtElsewhere, build: 'c' }))
    assert.is(load([], copy, folder.path), 'undefined undefined function\n', 'the cache of another build is not used')
  } finally {
    folder.remove()
  }
})

cache.run()
