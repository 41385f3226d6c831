import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledPath } from './run-binary.js'

const cache = suite('the compiled code beside the bundled program')

/** Loads the program in a process of its own, because it would share modules with this one. */
function load(...flags: string[]): string {
  const door = new URL('../load-cached.cjs', pathToFileURL(bundledPath)).href
  const script = `import cached from '${door}'
    const { runCommandLine } = cached.load('program.cjs')
    console.log(...['sdk/instance.cjs', 'program.cjs'].map(cached.isCacheRejected), typeof runCommandLine)`
  return spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', script], { encoding: 'utf8' }).stdout
}

cache('is taken by the Node that built it', () => {
  assert.is(load(), 'false false function\n')
})

cache('is left aside by a Node that compiles otherwise, which runs the program all the same', () => {
  assert.is(load('--stress-lazy-source-positions'), 'true true function\n')
})

cache.run()
